"""Pictures of a project: drawn from its imports, layers and findings, rendered by one module for each format. Pure."""
