"""What an intruder can do with a release: one attack, one file."""
