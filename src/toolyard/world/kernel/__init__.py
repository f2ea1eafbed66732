"""The machinery of the world: registry, executor, state, schemas, seeds, views and checks."""
