"""Food and health: ingredients with their nutrients stand under recipes, products, menus and body formulas."""
