"""German words for several of an ingredient, and the word for one."""

from __future__ import annotations

GERMAN_PLURALS = dict(pair.split(":") for pair in (
    "Eier:Ei", "Äpfel:Apfel", "Bananen:Banane", "Orangen:Orange", "Zitronen:Zitrone", "Limetten:Limette", "Birnen:Birne",
    "Erdbeeren:Erdbeere", "Himbeeren:Himbeere", "Heidelbeeren:Heidelbeere", "Brombeeren:Brombeere", "Kirschen:Kirsche",
    "Pfirsiche:Pfirsich", "Pflaumen:Pflaume", "Aprikosen:Aprikose", "Feigen:Feige", "Tomaten:Tomate", "Zwiebeln:Zwiebel",
    "Schalotten:Schalotte", "Karotten:Karotte", "Möhren:Karotte", "Kartoffeln:Kartoffel", "Gurken:Gurke",
    "Auberginen:Aubergine", "Paprikas:Paprika", "Pilze:Champignons", "Chilischoten:Chilischote", "Würste:Wurst",
    "Eigelbe:Eigelb", "Lorbeerblätter:Lorbeerblatt", "Brötchen:Hamburgerbrötchen", "Avocados:Avocado", "Nüsse:Walnüsse",
    "Knoblauchzehe:Knoblauch", "Knoblauchzehen:Knoblauch", "Hackfleisch:Rinderhackfleisch",
))  # fmt: skip
