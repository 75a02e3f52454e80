"""Check that the name of a point is the hash of its description and of the foreign code it runs."""

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import permutations
from typing import Any

from markone.lab.tasks import hash_content

# Text of a CodeState: "my_rules (sources 0123456789abcdef)".
STATE = re.compile(r"[\w.]+ \([^()]*\)")
# A point runs code of at most so many packages: a scenario, a student, one inside it.
MOST_PACKAGES = 3


class PointNames:
    """`sessions` are the JSON texts of the code that wrote a store."""

    def __init__(self, sessions: Iterable[str]) -> None:
        states = sorted({state for text in sessions for state in session_code_states(text)})
        self.codes = [code for n in range(MOST_PACKAGES + 1) for code in permutations(states, n)]

    def fits(self, point: str, described: tuple[Any, ...]) -> bool:
        """True if the name is a hash of this description and of some code of the sessions."""
        with suppress(ValueError, TypeError):
            scenario, version, parameters, seed = described
            content = [scenario, version, json.loads(parameters), seed]
            for k, code in enumerate(self.codes):
                if hash_content([*content, *code]) == point:
                    # Tried first for the next point, which probably has the same.
                    self.codes[0], self.codes[k] = self.codes[k], self.codes[0]
                    return True
        return False


def session_code_states(text: str) -> list[str]:
    """States of the code in one session, including markone's version."""
    with suppress(ValueError, AttributeError, KeyError, TypeError):
        found = json.loads(text)
        return [f"markone (version {found['markone']})", *STATE.findall(found.get("own code", ""))]
    return []
