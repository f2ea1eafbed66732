"""Calendar: dates, zones, working days and holidays."""
