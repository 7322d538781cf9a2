"""Where rows live: in memory, or in an engine that counts them where they are."""
