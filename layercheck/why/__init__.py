"""Why one part of a project imports another: a question to the project, its answer and how that is told."""
