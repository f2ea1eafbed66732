"""Competition: programming contests, and sports under eight services with ids of their own."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    reference=(
        "API_BASKETBALL/bets bookmakers countries seasons stages_or_groups timezone",
        "API_F1/seasons timezone",
        "API_FOOTBALL/bets bookmakers countries fixtures_round leagues seasons",
        "API_NBA/leagues players seasons",
        "Codeforces/contest_list",
        "Cricket_Live_Data/fixtures",
        "Ergast_F1/circuit_information race_schedule",
        "kontests/list_of_kontests",
    ),
    kinds=("sports",),
    public_people=True,
    fields={ALL: {"sport": 1}},
)
