"""Two states of a project -> what moved between them, whether it only moved, and what is left over. Reads no files."""
