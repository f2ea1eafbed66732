"""Typed statements about an answer, and whether a text makes them."""
