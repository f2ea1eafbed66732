"""Recipes, ingredients and products."""
