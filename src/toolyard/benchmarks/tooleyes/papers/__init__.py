"""The ToolEyes paper: published tables, exhibits, deviations."""
