"""Games, races, seasons and box scores."""
