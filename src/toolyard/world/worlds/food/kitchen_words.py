"""Words of titles that only one kitchen uses: what is called Knödel is German, whatever is in it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from toolyard.world.tables import plain

_WORDS: Mapping[str, str] = {
    "German": "pfannkuchen braten schweinebraten rinderbraten knodel kloesse spatzle spaetzle kartoffelsalat kartoffelsuppe "
    "kartoffelpuffer eintopf bratwurst currywurst rouladen sauerbraten maultaschen kuchen apfelkuchen kasekuchen kohl "
    "rotkohl frikadellen weisswurst linsensuppe gulaschsuppe kasespatzle zwiebelkuchen flammkuchen "
    "schupfnudeln brotchen stollen lebkuchen",
    "Austrian": "schnitzel wiener apfelstrudel strudel kaiserschmarrn tafelspitz palatschinken "
    "marillenknodel sachertorte germknodel",
    "American": "burger hamburger cheeseburger barbecue bbq meatloaf cornbread chowder brownies coleslaw pancakes nachos",
    "British": "pasty bangers trifle crumpets scones crumble yorkshire shepherd roast",
    "Caribbean": "jerk callaloo",
    "Ethiopian": "injera wat tibs",
    "Brazilian": "feijoada moqueca brigadeiro",
    "Peruvian": "ceviche lomo saltado anticuchos",
    "Swiss": "rosti raclette birchermuesli zurcher geschnetzeltes alplermagronen",
    "French": "boeuf poulet tarte gratin veloute cassoulet confit souffle clafoutis croque dauphinois blanquette remoulade",
    "Italian": "alla pollo ragu cacciatora puttanesca amatriciana arrabbiata saltimbocca piccata milanese primavera "
    "tagliatelle pappardelle orecchiette cacio aglio panzanella caponata bolognese carbonara risotto parmigiana marinara "
    "alfredo pesto gnocchi ravioli focaccia bruschetta margherita lasagna lasagne minestrone ossobuco tiramisu",
    "Spanish": "arroz patatas croquetas albondigas fabada pisto gambas pulpo empanadillas",
    "Mexican": "tacos taco enchiladas burrito fajitas quesadilla guacamole "
    "carnitas pozole chilaquiles tostadas huevos mole elote tamales barbacoa",
    "Japanese": "sushi ramen teriyaki tempura miso "
    "katsu donburi onigiri yakisoba gyudon karaage tonkatsu okonomiyaki soba udon oyakodon",
    "Korean": "kimchi bibimbap gochujang bulgogi jjigae tteokbokki japchae banchan kimbap galbi",
    "Chinese": "congee chow mein szechuan sichuan xiaolongbao jiaozi",
    "Indian": "samosa raita naan masala paneer aloo gobi saag vindaloo korma tikka tandoori chana dal biryani rogan",
    "Thai": "tom khao krapow larb satay massaman panang",
    "Vietnamese": "banh bun goi pho",
    "Greek": "souvlaki moussaka spanakopita dolmades pastitsio keftedes",
    "Turkish": "kofte borek lahmacun manti pide iskender",
    "Polish": "pierogi bigos golabki zurek",
    "Russian": "pelmeni blini solyanka okroshka",
    "Hungarian": "gulyas paprikash porkolt langos",
    "Swedish": "kottbullar gravlax janssons smorgas",
    "Portuguese": "bacalhau caldo piri",
    "Filipino": "adobo sinigang lumpia pancit",
    "Moroccan": "tagine harira pastilla",
    "Cajun": "gumbo jambalaya etouffee",
    "Middle Eastern": "shawarma kibbeh fattoush tabbouleh hummus",
}
_BY_WORD = {word: kitchen for kitchen, names in _WORDS.items() for word in names.split()}


def kitchens_spoken(title: str) -> set[str]:
    """The kitchens whose words a title uses."""
    return {_BY_WORD[word] for word in re.findall(r"[a-z]+", plain(title)) if word in _BY_WORD}
