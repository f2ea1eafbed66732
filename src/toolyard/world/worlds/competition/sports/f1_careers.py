"""Wins and podiums of whole careers by May 2024, of drivers who began before single races are counted; wins of teams."""

from __future__ import annotations

# Name of a driver -> (wins, podiums).
CAREERS = {
    "Lewis Hamilton": (103, 197), "Fernando Alonso": (32, 106), "Sebastian Vettel": (53, 122), "Kimi Räikkönen": (21, 103),
    "Jenson Button": (15, 50), "Felipe Massa": (11, 41), "Mark Webber": (9, 42), "Nico Rosberg": (23, 57),
    "Michael Schumacher": (91, 155), "Heikki Kovalainen": (1, 4), "Robert Kubica": (1, 12), "Vitaly Petrov": (0, 1),
    "Timo Glock": (0, 3), "Pedro de la Rosa": (0, 1), "Rubens Barrichello": (11, 68), "Jarno Trulli": (1, 11),
    "Nick Heidfeld": (0, 13), "Ayrton Senna": (41, 80), "Alain Prost": (51, 106), "Niki Lauda": (25, 54),
    "James Hunt": (10, 23), "Nelson Piquet": (23, 60), "Nigel Mansell": (31, 59), "Jackie Stewart": (27, 43),
    "Jim Clark": (25, 32), "Juan Manuel Fangio": (24, 35), "Mika Häkkinen": (20, 51), "Damon Hill": (22, 42),
    "Jacques Villeneuve": (11, 23), "Graham Hill": (14, 36), "Jack Brabham": (14, 31), "Alberto Ascari": (13, 17),
    "Emerson Fittipaldi": (14, 35), "David Coulthard": (13, 62), "Mario Andretti": (12, 19), "Alan Jones": (12, 24),
    "Carlos Reutemann": (12, 45), "Gerhard Berger": (10, 48), "Jody Scheckter": (10, 33), "Ronnie Peterson": (10, 26),
    "Juan Pablo Montoya": (7, 30), "Ralf Schumacher": (6, 27), "Jochen Rindt": (6, 13), "John Surtees": (6, 24),
    "Denny Hulme": (8, 33), "Keke Rosberg": (5, 17), "Stirling Moss": (16, 24),
}  # fmt: skip
TEAM_WINS = {
    "Red Bull Racing": 117, "Mercedes-AMG Petronas": 125, "Scuderia Ferrari": 244, "McLaren": 184,
    "Williams": 114, "Renault": 35, "Toro Rosso": 1,
}  # fmt: skip
