"""Kinds of CPU that computed the rows of a store: recorded with each row, listed in the report."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from markone.numerics import cpu
from markone.numerics.text import format_count
from markone.run.outcomes import TaskOutcome

Query = Callable[..., Any]
UNKNOWN = "an unknown CPU"

COUNT = (
    "SELECT w.{0}, count(*) FROM attempts AS a JOIN workers AS w ON w.id = a.worker WHERE status = 'done' "
    "GROUP BY w.{0} ORDER BY w.{0} = '', min(w.id)"
)


def count_cpu_kinds(rows: Query) -> list[dict[str, Any]]:
    """Kinds of CPU with their numbers of finished tasks; empty if none was recorded."""
    found = rows(COUNT.format("cpu"))
    if not any(kind for kind, _ in found):
        return []
    return [{**json.loads(kind or json.dumps({"compiled for": UNKNOWN})), "tasks": n} for kind, n in found]


def count_code_states(rows: Query) -> list[dict[str, Any]]:
    """States of markone's code with their numbers of finished tasks; "" where not recorded."""
    return [{"code": code, "tasks": n} for code, n in rows(COUNT.format("code"))]


def reject_other_cpu(outcome: TaskOutcome) -> TaskOutcome:
    """In a portable run replace the values of a worker with another kind of CPU by an error."""
    if not cpu.portable_requested() or not outcome.cpu or outcome.cpu == cpu.cpu_kind():
        return outcome
    message = (
        f"The run is portable, but the worker computed {_describe_cpu(json.loads(outcome.cpu))}: "
        f"start the workers with {cpu.PORTABLE_VARIABLE}=1."
    )
    return replace(outcome, values={}, error=message)


def cpu_remarks(kinds: Sequence[Mapping[str, Any]]) -> list[str]:
    """Remark on several kinds of CPU; empty for one kind, whose values are the same to the bit."""
    if len(kinds) < 2:
        return []
    common = set.intersection(*(_cpu_feature_set(kind) for kind in kinds))
    parts = [f"{format_count(kind['tasks'], 'task')} {_describe_cpu(kind, common)}" for kind in kinds]
    return [
        f"The results were computed by {len(kinds)} kinds of CPU: {'; '.join(parts)}. The last bits of a "
        "value may depend on which; `markone run --portable` gives the same on all."
    ]


def _describe_cpu(kind: Mapping[str, Any], common: set[str] | None = None) -> str:
    """Target CPU, BLAS and numpy, and the features that not all kinds have."""
    words = [f"for {kind['compiled for']}"]
    words += [f"with {kind['BLAS']} and numpy {kind['numpy']}"] if "BLAS" in kind else []
    own = _cpu_feature_set(kind) - common if common is not None else set()
    return " ".join(words) + (f" ({', '.join(sorted(own))})" if own else "")


def _cpu_feature_set(kind: Mapping[str, Any]) -> set[str]:
    return set(kind.get("features", "").split())
