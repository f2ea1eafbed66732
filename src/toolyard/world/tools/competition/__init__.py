"""Competition: programming contests, and sports under eight services with ids of their own."""

from toolyard.world.kernel.categories import ALL, Category

CATEGORY = Category(
    reference=(
        "API_BASKETBALL/bets bookmakers countries leagues seasons stages_or_groups timezone",
        "API_F1/circuits competition seasons timezone",
        "API_FOOTBALL/bets bookmakers countries fixtures_round leagues seasons",
        "API_NBA/leagues players seasons teams",
        "Codeforces/contest_list problem_set_problems",
        "Cricket_Live_Data/fixtures fixtures_by_date series",
        "Ergast_F1/circuit_information race_schedule",
        "kontests/list_of_kontests",
        "balldontlie/get_a_specific_player get_a_specific_team get_all_players get_all_teams",
    ),
    kinds=("sports",),
    public_people=True,
    fields={ALL: {"sport": 1}},
)
