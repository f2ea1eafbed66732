"""Your own tools: read from any source, reviewed, mirrored offline, and used to probe a model."""
