"""Is the description of a point what its name was made of? The name may hold the states of own code."""

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import permutations
from typing import Any

from markone.lab.tasks import digest

# As a CodeState writes itself: "my_rules (sources 0123456789abcdef)".
STATE = re.compile(r"[\w.]+ \([^()]*\)")
# A point runs code of a few packages: a scenario, a student, one inside it.
MOST_PACKAGES = 3


class PointNames:
    """`sessions` are the JSON texts that say by which code a store was written."""

    def __init__(self, sessions: Iterable[str]) -> None:
        states = sorted({state for text in sessions for state in states_in(text)})
        self.codes = [code for n in range(MOST_PACKAGES + 1) for code in permutations(states, n)]

    def fits(self, point: str, described: tuple[Any, ...]) -> bool:
        """The name of a point is a hash of its description and of the code that it runs."""
        with suppress(ValueError, TypeError):
            scenario, version, parameters, seed = described
            asked = [scenario, version, json.loads(parameters), seed]
            for k, code in enumerate(self.codes):
                if digest([*asked, *code]) == point:
                    # Most others have the same: it is tried first.
                    self.codes[0], self.codes[k] = self.codes[k], self.codes[0]
                    return True
        return False


def states_in(text: str) -> list[str]:
    """Of one session; markone's own students are code of that version."""
    with suppress(ValueError, AttributeError, KeyError, TypeError):
        found = json.loads(text)
        return [f"markone (version {found['markone']})", *STATE.findall(found.get("own code", ""))]
    return []
