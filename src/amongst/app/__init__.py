"""The local web app: choose, see, compare, publish."""
