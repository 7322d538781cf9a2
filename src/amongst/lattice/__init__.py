"""The lattice of full-domain generalizations: all that hold, and a drawing of them."""
