"""Jokes and trivia about food, in our own words."""

JOKES = (
    "The tomato lost the race and still could not ketchup on the second lap.",
    "I told my pasta a secret; now it is all tangled up in it.",
    "My avocado and I have the same life plan: hard, hard, hard, perfect for ten minutes, gone.",
    "The bread asked the butter to stop; things were getting too smooth.",
    "A potato walked into a bar, and every eye was on it because it brought its own.",
    "The chef was arrested for whipping cream and beating eggs, but the soup got away with a light simmer.",
    "I put my lasagna on a diet. It lost three layers.",
    "The onion went to therapy. The therapist cried for the whole hour.",
    "My blender and I broke up: too many mixed signals.",
    "The cheese factory exploded, and the police found nothing but de-brie.",
    "Two pickles argued about who was in the bigger jam; neither was.",
    "The rice cooker is the best employee I have: it clicks with everybody and then stays warm.",
)
TRIVIA = (
    "Honey that is kept sealed and dry hardly ever spoils; pots found in old Egyptian tombs were still edible.",
    "Botanically, a banana is a berry while a strawberry is not.",
    "Carrots in Europe were mostly purple, white or yellow before orange ones spread in the seventeenth century.",
    "Peanuts are legumes and ripen under the ground.",
    "Cashew nuts hang under a fruit that is called the cashew apple.",
    "White, green and black tea all come from leaves of one plant, Camellia sinensis.",
    "Saffron is picked by hand from the three red threads in each crocus flower.",
    "Vanilla flowers open for about one day and are mostly pollinated by hand.",
    "Apples float because about a quarter of their volume is air.",
    "Wild chili peppers burn mammals but not birds, which spread the seeds.",
    "Chocolate was a bitter drink in Mexico long before it became a sweet bar in Europe.",
    "Parmesan wheels weigh almost 40 kilograms and ripen for at least a year.",
    "Almonds belong to the same family as peaches and cherries.",
    "An egg that stands upright in water is older than one that lies flat, because its air cell has grown.",
    "Quinoa is the seed of a plant related to spinach, not a cereal.",
    "Ketchup was a fermented fish sauce in Asia before tomatoes got into it.",
)
