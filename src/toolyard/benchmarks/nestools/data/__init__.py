"""NesTools rows: loading, audit, statistics."""
