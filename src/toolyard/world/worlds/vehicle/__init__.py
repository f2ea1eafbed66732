"""Vehicles by make, model and identification number."""
