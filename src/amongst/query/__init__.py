"""Questions answered from a release: estimates, with bounds that the truth cannot leave."""
