"""Two published tables that only a group number links."""
