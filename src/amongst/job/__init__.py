"""Jobs: everything that one run needs to know, as a file, as Python, and carried out."""
