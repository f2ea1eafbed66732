"""Competition: programming contests, and sports under eight services with ids of their own."""
