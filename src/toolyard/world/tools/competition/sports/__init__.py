"""Sports: leagues, teams, players, games and races, each played once, under eight services with ids of their own."""
