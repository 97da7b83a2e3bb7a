"""Mutation testing: changes the code in small ways, one at a time, and tells which changes no test notices."""
