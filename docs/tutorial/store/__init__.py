"""A small store: what it delivers, and how."""
