"""Tables whose frequency set does not fit into memory: codes on disk, exact top cuts by counting, part by part."""
