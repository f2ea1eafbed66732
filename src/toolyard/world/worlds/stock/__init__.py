"""Stock: shares and options in short, and the date."""
