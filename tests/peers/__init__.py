"""What layercheck and its peers see of small trees: each cell of the table in README.md, by running them."""
