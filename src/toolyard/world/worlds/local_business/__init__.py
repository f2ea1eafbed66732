"""Local businesses with reviews and events, and ticketed events with venues and performers."""
