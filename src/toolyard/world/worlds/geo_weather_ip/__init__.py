"""Places, their weather and their network addresses: all stand on the same cities."""
