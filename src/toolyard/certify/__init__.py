"""The conformance test of a serving stack: small tasks through every surface, each lost point attributed."""
