"""Weather: conditions, forecasts, history, astronomy and tides, on the shared cities."""
