"""The NesTools paper: published tables, exhibits, deviations."""
