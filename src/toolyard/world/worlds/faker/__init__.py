"""Faker: invented rows of data."""
