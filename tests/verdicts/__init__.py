"""The same verdict, measured: another tool judges a tree by its settings, layercheck by the rules made of them."""
