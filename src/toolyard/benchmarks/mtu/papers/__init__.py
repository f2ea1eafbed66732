"""The MTU-Bench paper: published tables, exhibits, deviations."""
