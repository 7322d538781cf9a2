"""Whether an analysis is still right: regressions on what a release says, with intervals that are valid."""
