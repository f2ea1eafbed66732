"""Countries, cities, airports, post codes, streets and sights: where things are."""
