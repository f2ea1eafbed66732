"""All that talks to a model: endpoints, the bundled model, scripts, judges and embedders."""
