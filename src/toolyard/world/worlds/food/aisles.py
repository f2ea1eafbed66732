"""Where a shop puts the ingredients."""

from __future__ import annotations

AISLES = {
    "fruit": "Produce", "vegetable": "Produce", "meat": "Meat", "poultry": "Meat", "fish": "Seafood",
    "shellfish": "Seafood", "egg": "Milk, Eggs, Other Dairy", "dairy": "Milk, Eggs, Other Dairy",
    "grain": "Baking", "pasta": "Pasta and Rice", "legume": "Canned and Jarred", "nut": "Nuts",
    "oil": "Oil, Vinegar, Salad Dressing", "condiment": "Condiments", "spice": "Spices and Seasonings",
    "herb": "Produce", "sweetener": "Baking", "baking": "Baking", "beverage": "Beverages", "snack": "Savory Snacks",
}  # fmt: skip
# What stands elsewhere than its kind.
ELSEWHERE = {
    name: aisle
    for aisle, names in (
        ("Canned and Jarred", "coconut milk,tomato sauce,tomato paste,pickles,olives,tuna,anchovies,sardines"),
        ("Nut butters, Jams, and Honey", "peanut butter,tahini,honey,maple syrup"),
        ("Pasta and Rice", "rice,arborio rice,brown rice,quinoa,couscous,bulgur,barley,buckwheat,millet"),
        ("Bakery/Bread", "bread,burger bun,tortilla,ladyfingers"), ("Cereal", "oats,granola"),
        ("Frozen", "ice cream,edamame"), ("Dried Fruits", "raisins,dates,prunes"),
        ("Alcoholic Beverages", "white wine,red wine,beer"),
        ("Tea and Coffee", "coffee,tea"), ("Health Foods", "tofu"), ("Refrigerated", "hummus"),
        ("Sweet Snacks", "dark chocolate"), ("Oil, Vinegar, Salad Dressing", "vinegar"),
    )
    for name in names.split(",")
}  # fmt: skip
