"""Where tasks come from: one module per benchmark, each with `draw(rng, fits)`."""
