"""The pages about checks, found and laid out for a terminal."""
