"""The steps of the path, one file each; ``show(page)`` builds a step into the page."""
