"""What written rows accept beside gold's arguments stands in their records; none asks for what is not on record."""

from __future__ import annotations

import json

from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.nestools.synth.written_rows import written_rows


def test_what_written_rows_accept_stands_in_their_records() -> None:
    lines = (load_benchmark("nestools").data.starter / "test_data.jsonl").read_text("utf-8").splitlines()
    records = {record["task"]: record for record in map(json.loads, lines)}
    accepting = [row for row in written_rows() if row.accepts]
    assert len(accepting) > 30
    for row in accepting:
        alternatives = records[row.query]["alternatives"]
        for place, changed in row.accepts:
            if "" in changed.values():
                assert [entry for entry in alternatives if entry.get("call") == place and "tool" in entry]
                continue
            for name, value in changed.items():
                assert {"call": place, "parameter": name, "values": [value]} in alternatives


def test_no_request_asks_the_statistics_of_teams_for_rebounds() -> None:
    tools = ("game_statistics", "team_statistics")
    asking = [row for row in written_rows() if any(step.tool.endswith(tools) for step in row.plan)]
    assert asking
    assert not [row.place for row in asking if "rebound" in row.query]
