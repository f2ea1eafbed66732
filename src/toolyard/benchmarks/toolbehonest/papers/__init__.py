"""The ToolBeHonest paper: published tables, exhibits, deviations."""
