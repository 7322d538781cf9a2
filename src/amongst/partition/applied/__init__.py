"""Groups that were found before, applied to other rows."""
