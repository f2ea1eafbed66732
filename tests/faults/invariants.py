"""What must hold when a run has come to its end, whatever happened on the way."""

import base64
import json
import re
from collections import Counter
from urllib.parse import quote

from faults import run_files
from faults.playing import FINISHING_SESSIONS, KEY, PRICE, Stage, cost_of
from faults.run_files import Spent

DROPPED = re.compile(rb'"[^"]* of its replies were dropped, beyond what is kept of a reply",?')


def finish(at: Stage) -> None:
    """The same command until it ends well; where the endpoint heals, it does so after the first of these."""
    code: int | None = None
    for attempt in range(FINISHING_SESSIONS):
        if attempt and at.schedule.heals:
            at.endpoint.healed = True
        if attempt and not at.schedule.heals and code == 2:
            return
        code = at.end(at.start(), "finishing")
        if code == 0 and (at.endpoint.healed or not unscored(at)):
            return
    if at.schedule.heals:
        at.problem("finished", f"not finished after {FINISHING_SESSIONS} sessions, last ended with {code}")


def unscored(at: Stage) -> int:
    """Samples that the last session told to be unscored, under either profile; a judge's failures are among them."""
    told = json.loads((at.folder / f"{at.number}.out").read_bytes())
    return max(summary["unscored"] for summary in told["profiles"].values())


def check_end(at: Stage) -> None:
    """Lists everything that does not hold."""
    check_key(at)
    if at.outcome.codes[-1][1] not in (0, 2):
        return  # not done, and it says so; an endpoint that never works may leave a run like that
    check_scores(at)
    check_accounts(at)
    check_told(at)


def check_scores(at: Stage) -> None:
    """Every (sample, trial) once, and scored as in an undisturbed run or unscored with a reason."""
    path = at.run_folder / "scores.jsonl"
    # What was dropped of a flood is a remark of its own, beside the same scores.
    found = DROPPED.sub(b"", path.read_bytes()) if path.exists() else b""
    if found == at.clean.scores:
        return
    if at.schedule.heals:
        at.problem("scores", "scores.jsonl differs from that of an undisturbed run")
    lines = {key(line): line for line in found.splitlines()}
    wanted = {key(line): line for line in at.clean.scores.splitlines()}
    if len(found.splitlines()) != len(lines) or set(lines) != set(wanted):
        at.problem(
            "scores", f"scores.jsonl has {len(found.splitlines())} lines, wanted {len(wanted)}, each once"
        )
        return
    failed = failures(at)
    for place, line in lines.items():
        reasons = {scores["unscored"] for scores in json.loads(line)["profiles"].values()}
        if reasons == {None} and line != wanted[place]:
            at.problem("scores", f"{place} is scored otherwise than in an undisturbed run")
        if None not in reasons and place not in failed and not at.schedule.case.judged:
            at.problem("scores", f"{place} is unscored ({reasons}) without a failure in the transcripts")
        if reasons == {None} and place in failed:
            at.problem("scores", f"{place} is scored although it failed with {failed[place]}")
    at.outcome.unscored = len(failed)


def key(line: bytes) -> tuple[str, int]:
    """Sample and trial of a line."""
    record = json.loads(line)
    return record["sample"], record["trial"]


def failures(at: Stage) -> dict[tuple[str, int], str]:
    """The kind of failure of each (sample, trial) whose last line is one."""
    last = {
        (line["sample"], line["trial"]): line["error"]
        for line in run_files.json_lines(at.run_folder / "transcripts.jsonl")
    }
    return {place: error["kind"] for place, error in last.items() if error is not None}


def check_accounts(at: Stage) -> None:
    """Usage and cost in the manifest are those of the transcripts: nothing lost, nothing twice."""
    manifest = run_files.manifest_of(at.run_folder)
    if manifest is None:
        at.problem("accounts", "the manifest cannot be read")
        return
    answered = run_files.spent_in_transcripts(at.run_folder)
    if run_files.spent_in(manifest["usage"]) != answered:
        at.problem("accounts", f"the manifest has usage {manifest['usage']}, the transcripts {answered}")
    if abs((manifest["cost"] or 0.0) - cost_of(answered)) > 1e-9:
        at.problem(
            "accounts",
            f"the manifest has cost {manifest['cost']}, the transcripts {cost_of(answered)} at {PRICE}",
        )
    judged = run_files.spent_in_evidence(at.run_folder)
    if at.schedule.case.judged and run_files.spent_in(manifest["judge_usage"]) != judged:
        at.problem("accounts", f"manifest has judge usage {manifest['judge_usage']}, the evidence {judged}")
    sent = sum((Spent(told.read, told.written) for told in at.endpoint.sent), Spent())
    alone = run_files.answered_in_transcripts(at.run_folder)
    if alone.read > sent.read or alone.written > sent.written:
        at.problem("accounts", f"recorded are answers of {alone}, more than the endpoint ever sent: {sent}")
    recorded = answered + judged
    most = sum((Spent(told.read, told.written) for told in at.endpoint.doubtful), Spent())
    # Requests on a connection that the endpoint cut were sent, and it never saw them.
    unseen = at.endpoint.injected["refused for a while"]
    if not unseen and (recorded.read > most.read or recorded.written > most.written):
        at.problem("accounts", f"recorded are {recorded}, more than all requests may have cost: {most}")
    whole = at.clean.spent
    # A completion that was kept when its session was killed costs the next one nothing.
    paid_here = at.schedule.heals and not at.schedule.cached
    if paid_here and (recorded.read < whole.read or recorded.written < whole.written):
        at.problem("accounts", f"recorded are {recorded}, less than an undisturbed run takes: {whole}")
    if at.schedule.heals and not manifest["finished"]:
        at.problem("accounts", "the manifest of a finished run has no date of its end")


def check_told(at: Stage) -> None:
    """What was printed last says how many samples count, and withholds the headline where too few do."""
    told = json.loads((at.folder / f"{at.number}.out").read_bytes())
    total = at.clean.scores.count(b"\n")
    for profile, summary in told["profiles"].items():
        if summary["samples"] + summary["unscored"] != total:
            at.problem(
                "told",
                f"{profile}: {summary['samples']} samples and {summary['unscored']} unscored of {total}",
            )
    missing = told["profiles"]["paper"]["unscored"]
    if missing != len(failures(at)) and not at.schedule.case.judged:
        at.problem("told", f"{missing} unscored are told, {len(failures(at))} failed")
    if bool(told["withheld"]) != (missing > 0.02 * total):
        at.problem("told", f"withheld is {told['withheld']} with {missing} of {total} unscored")
    code = at.outcome.codes[-1][1]
    if code != (2 if told["withheld"] else 0):
        at.problem("exit code", f"exit code {code} with withheld {told['withheld']}")


def check_key(at: Stage) -> None:
    """The planted key stands in no byte that was written."""
    forms = Counter({KEY.encode(), base64.b64encode(KEY.encode()), quote(KEY).encode(), KEY[::-1].encode()})
    for path, data in run_files.all_bytes(at.folder):
        if any(form in data for form in forms):
            at.problem("key", f"the key stands in {path.relative_to(at.folder)}")
