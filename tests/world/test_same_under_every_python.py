"""Answers whose sums of fractions once differed by a digit from Python 3.12 on."""

from toolyard.world import World, call


def test_means_of_temperatures_end_alike_under_every_python() -> None:
    found = call(World.fresh(0), "Weather/weatherapi/future", {"q": "Graz", "dt": "2024-07-17"})
    assert found.value["day"]["mean_c"] == 21.4
