"""Fuzzing: whatever a stranger hands in, layercheck says something, and soon. ``python -m tests.fuzz`` runs it."""
