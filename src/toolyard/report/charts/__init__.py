"""What is drawn, each chart with the numbers it shows."""
