"""Drawing: one chart record and one theme for reports and generated data."""
