"""Competition/Ergast_F1: longer filters of three tools."""

from __future__ import annotations

from toolyard.world.worlds.sports.ergast_shapes import (
    Filters,
    Position,
    SeasonFilters,
)


class SeasonListFilters(SeasonFilters, total=False):
    """What must hold of at least one result, or of the final table.

    season: Year of the season.
    circuit_id: Circuit, e.g. monza.
    constructor_id: Constructor, e.g. ferrari.
    driver_id: Driver, e.g. alonso.
    grid_position: Place on the grid.
    results_position: Place at the finish.
    rank: Rank of the fastest lap.
    status_id: How it ended, by number.
    driver_standings: Place of the driver (driver_id) in the table of the season.
    constructor_standings: Place of the constructor (constructor_id) in the table of the season.
    """

    driver_standings: Position
    constructor_standings: Position


class QualifyingFilters(Filters, total=False):
    """What must hold of the car.

    season: Year of the season.
    race: Round of the season.
    circuit_id: Circuit, e.g. monza.
    constructor_id: Constructor, e.g. ferrari.
    driver_id: Driver, e.g. alonso.
    grid_position: Place on the grid.
    results_position: Place at the finish.
    rank: Rank of the fastest lap.
    status_id: How it ended, by number.
    finishing_position: Place at the finish, another name of results_position.
    """

    finishing_position: Position


class DriverFilters(Filters, total=False):
    """What must hold of at least one result, or of the table.

    season: Year of the season.
    race: Round of the season.
    circuit_id: Circuit, e.g. monza.
    constructor_id: Constructor, e.g. ferrari.
    driver_id: Driver, e.g. alonso.
    grid_position: Place on the grid.
    results_position: Place at the finish.
    rank: Rank of the fastest lap.
    status_id: How it ended, by number.
    driver_standings: Place in the table of the season (of any season when none is given).
    """

    driver_standings: Position
