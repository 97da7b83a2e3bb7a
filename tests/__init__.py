"""The tests of layercheck. Helpers are imported as ``tests.<helper>``."""
