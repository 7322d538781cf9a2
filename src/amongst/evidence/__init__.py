"""What a review board needs to know about a release, in one folder."""
