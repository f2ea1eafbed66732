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
    "Giuseppe Farina": (5, 20), "Mike Hawthorn": (3, 18), "Phil Hill": (3, 16), "Tony Brooks": (6, 10),
    "Peter Collins": (3, 9), "Luigi Musso": (1, 7), "Bruce McLaren": (4, 27), "Dan Gurney": (4, 19),
    "Jacky Ickx": (8, 25), "Clay Regazzoni": (5, 28), "François Cevert": (1, 13), "Gilles Villeneuve": (6, 13),
    "Didier Pironi": (3, 13), "John Watson": (5, 20), "René Arnoux": (7, 22), "Elio de Angelis": (2, 9),
    "Michele Alboreto": (5, 23), "Riccardo Patrese": (6, 37), "Jacques Laffite": (6, 32), "Patrick Depailler": (2, 19),
    "Patrick Tambay": (2, 11), "Thierry Boutsen": (3, 15), "Alessandro Nannini": (1, 9), "Jean Alesi": (1, 32),
    "Heinz-Harald Frentzen": (3, 18), "Eddie Irvine": (4, 26), "Giancarlo Fisichella": (3, 19), "Johnny Herbert": (3, 7),
    "Olivier Panis": (1, 5), "Martin Brundle": (0, 9), "Alexander Wurz": (0, 3), "Takuma Sato": (0, 1),
    "Jos Verstappen": (0, 2), "Chris Amon": (0, 11), "Lorenzo Bandini": (1, 8), "Jo Siffert": (2, 6),
    "Carlos Pace": (1, 6), "Alessandro Zanardi": (0, 1), "Richie Ginther": (1, 14),
    "Luigi Fagioli": (1, 6), "José Froilán González": (2, 15), "Ricardo Rosset": (0, 0), "Piero Taruffi": (1, 5),
    "Eugenio Castellotti": (0, 3), "Wolfgang von Trips": (2, 6),
}  # fmt: skip
TEAM_WINS = {
    "Red Bull Racing": 117, "Mercedes-AMG Petronas": 125, "Scuderia Ferrari": 244, "McLaren": 184,
    "Williams": 114, "Renault": 35, "Toro Rosso": 1, "Alfa Romeo": 10,
}  # fmt: skip
