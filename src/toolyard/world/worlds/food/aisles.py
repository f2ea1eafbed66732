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
        ("Canned and Jarred", "sauerkraut,condensed milk,evaporated milk,hominy,canned tomatoes,tomato puree,applesauce"),
        ("Canned and Jarred", "chicken broth,beef broth,vegetable broth"),
        ("Nut butters, Jams, and Honey", "peanut butter,tahini,honey,maple syrup,strawberry jam,apricot jam,dulce de leche"),
        ("Pasta and Rice", "rice,arborio rice,glutinous rice,brown rice,quinoa,couscous,bulgur,barley,buckwheat,millet"),
        ("Bakery/Bread", "bread,burger bun,tortilla,corn tortilla,ladyfingers,pita bread,rye bread,english muffin"),
        ("Bakery/Bread", "bread roll,baguette,sourdough bread"),
        ("Cereal", "oats,granola,corn flakes,cooked oatmeal"),
        ("Frozen", "ice cream,edamame,phyllo dough,puff pastry"), ("Dried Fruits", "raisins,dates,prunes"),
        ("Alcoholic Beverages", "white wine,red wine,beer,gin,rum,vodka,tequila,whiskey,brandy,cachaça,kirsch,triple sec"),
        ("Alcoholic Beverages", "coffee liqueur,sparkling wine,bitters"), ("Sweet Snacks", "graham crackers"),
        ("Ethnic Foods", "kimchi,miso,nori,rice paper,gochujang,chili bean paste,green curry paste,red curry paste"),
        ("Ethnic Foods", "massaman curry paste,dashi,mirin,hoisin sauce,fish sauce,tamarind paste,korean rice cakes"),
        ("Baking", "desiccated coconut,milk powder,masa harina,teff flour,tapioca starch,chickpea flour,gelatin"),
        ("Tea and Coffee", "coffee,tea,ground coffee,tea leaves,matcha"),
        ("Health Foods", "tofu"), ("Refrigerated", "hummus"),
        ("Sweet Snacks", "dark chocolate"), ("Oil, Vinegar, Salad Dressing", "vinegar,apple cider vinegar"),
        ("Spices and Seasonings", "oregano,bay leaf"), ("Meat", "suet"), ("Milk, Eggs, Other Dairy", "margarine"),
        ("Health Foods", "protein powder"), ("Beverages", "grenadine"), ("Ethnic Foods", "egusi seeds"),
        ("Baking", "jello,almond flour"), ("Pasta and Rice", "lentils,split peas"),
    )
    for name in names.split(",")
}  # fmt: skip
