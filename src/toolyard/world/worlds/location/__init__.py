"""Location: countries, regions and cities, and ticketed events with venues and performers."""
