"""Single cells, each recoded for itself."""
