"""Charts as inline SVG: each a pure function from arrays to markup, one chart a file."""
