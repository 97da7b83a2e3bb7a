"""One file for each check: its tables of small trees."""
