"""ToolBeHonest rows: loading, audit, statistics."""
