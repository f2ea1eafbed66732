"""ToolEyes rows: loading, audit, statistics."""
