"""Catalogues: cats and dogs, and vehicles by make, model and identification number."""
