"""Food: ingredients with their nutrients stand under recipes, products and menus."""
