"""The answers of another process: the same seed gives them whatever the order of its dictionaries."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping

from toolyard.world.kernel.checks.check_counts import Count
from toolyard.world.kernel.checks.seen_calls import SeenCall, example_calls


def compare_in_new_process(seed: int, calls: Iterable[SeenCall]) -> Count:
    """Every example answered by a process of its own, with hashes of another seed."""
    surroundings = {**os.environ, "PYTHONHASHSEED": "4711"}
    command = [sys.executable, "-m", "toolyard.world.kernel.checks.process_answers", str(seed)]
    done = subprocess.run(  # noqa: S603 - our own interpreter, a whole number
        command, capture_output=True, text=True, env=surroundings, check=True
    )
    elsewhere: Mapping[str, str] = json.loads(done.stdout)
    here = _answer_digests(calls)
    count = Count(len(here))
    for name in here:
        if elsewhere.get(name) != here[name]:
            count.note_defect(name.partition(" ")[0], "gives another answer in another process")
    return count


def _answer_digests(calls: Iterable[SeenCall]) -> dict[str, str]:
    return {
        f"{each.tool.id} {json.dumps(each.arguments)}": hashlib.sha256(
            each.text.encode("utf-8", "surrogatepass")
        ).hexdigest()
        for each in calls
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_answer_digests(example_calls(int(sys.argv[1])))))
