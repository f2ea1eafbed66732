"""One web application for the pages of `toolyard view` and `toolyard review`."""
