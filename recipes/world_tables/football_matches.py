"""Matches of five football leagues, seasons from 2017 to 2023, out of premier-league.

python recipes/world_tables/football_matches.py FOLDER   # holds premier_league/ as an unpacked wheel
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

from packing import write

LEAGUES = {"Premier League": "pl", "La Liga": "laliga", "Serie A": "seriea", "Fußball-Bundesliga": "bundesliga",
           "Ligue 1": "ligue1"}  # fmt: skip
SEASONS = tuple(f"{year}-{year + 1}" for year in range(2017, 2024))
# A season may hold a few matches of the one before that were played late: those come before this day.
FIRST_DAYS = {("seriea", "2020-2021"): "2020-09-01"}
# Decided at the green table: one was given up after a thrown cup, one had a player who was not on the list.
AWARDED = (
    ("bundesliga:2021", "2022-03-18 20:30", 27, "VfL Bochum", "Borussia Mönchengladbach", 0, 2),
    ("seriea:2020", "2020-09-19 20:45", 1, "Hellas Verona", "Roma", 3, 0),
)
# Clubs that the world calls otherwise.
NAMES = {
    "Milan": "AC Milan", "Internazionale": "Inter", "Freiburg": "SC Freiburg", "Wolfsburg": "VfL Wolfsburg",
    "Mönchengladbach": "Borussia Mönchengladbach", "Mainz 05": "FSV Mainz 05", "Dortmund": "Borussia Dortmund",
    "Hoffenheim": "1899 Hoffenheim", "Augsburg": "FC Augsburg", "Stuttgart": "VfB Stuttgart", "Bochum": "VfL Bochum",
    "Heidenheim": "FC Heidenheim", "Darmstadt 98": "SV Darmstadt 98", "Köln": "FC Köln",
    "Paris Saint-Germain": "Paris Saint Germain", "Atlético Madrid": "Atletico Madrid", "Alavés": "Alaves",
    "Almería": "Almeria", "Cádiz": "Cadiz",
}  # fmt: skip
QUERY = """select l.name, g.season, g.date, g.match_week, h.name, a.name, g.home_goals, g.away_goals from game g
    join league l on l.id = g.league_id join team h on h.id = g.home_team_id join team a on a.id = g.away_team_id
    order by g.date, h.name"""


def main() -> None:
    """Writes football_matches: league, season, local time of kick-off, round, clubs and goals."""
    path = Path(sys.argv[1]) / "premier_league" / "premier_league" / "data" / "premier_league.sql"
    base = sqlite3.connect(":memory:")
    base.executescript(path.read_text("utf-8"))
    rows = []
    for name, season, moment, week, home, away, scored, conceded in base.execute(QUERY):
        if name not in LEAGUES or season not in SEASONS:
            continue
        league = LEAGUES[name]
        if moment[:10] < FIRST_DAYS.get((league, season), ""):
            season = f"{int(season[:4]) - 1}-{season[:4]}"
            week = 38
        clubs = (NAMES.get(home, home), NAMES.get(away, away))
        rows.append((f"{league}:{season[:4]}", moment[:16], week, *clubs, scored, conceded))
    rows.extend(AWARDED)
    rows.sort(key=lambda row: (row[0], row[1], row[3]))
    write(
        "football_matches", ("season", "kick_off", "round", "home", "away", "home_goals", "away_goals"), rows
    )


if __name__ == "__main__":
    main()
