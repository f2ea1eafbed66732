"""What no training row shows of our own material: packages of the world, and goals.

Evaluation sets that are free of it can be made at any time: `synth nestools --from world --goals held-out`.
"""

import hashlib

from toolyard.synth.goals.goal_book import Goal, all_goals

# One package of so many is held out, and one goal of so many besides those that need such a package.
ONE_PACKAGE_OF = 12
ONE_GOAL_OF = 6


def is_held_out(tool: str) -> bool:
    """Whether the tool (`Category/package/name`) belongs to a held-out package; the hash decides, once and for all."""
    return _hash_name(tool.rpartition("/")[0]) % ONE_PACKAGE_OF == 0


def is_held_out_goal(goal: Goal) -> bool:
    """Whether no training row is made of the goal."""
    return _hash_name(goal.name) % ONE_GOAL_OF == 0 or any(is_held_out(step.tool) for step in goal.plan)


def held_out_goals() -> tuple[Goal, ...]:
    """The goals that no training row is made of."""
    return tuple(filter(is_held_out_goal, all_goals()))


def _hash_name(name: str) -> int:
    return hashlib.blake2b(name.encode(), digest_size=4).digest()[0]
