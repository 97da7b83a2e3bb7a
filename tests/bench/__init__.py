"""``make bench``: layercheck beside its peers, on the same trees, in one run. Asserts nothing."""
