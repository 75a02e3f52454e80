"""Which grid points a claim or a figure is about."""

from collections.abc import Mapping
from typing import Any


def matches(parameters: Mapping[str, Any], where: Mapping[str, Any]) -> bool:
    """`key = value`, `key = [one, of, these]`, `key_min`, `key_max`; the value itself is included.

    A parameter may itself be called n_max: a name that exists is a name, not a bound.
    """
    for key, value in where.items():
        name, _, bound = key.rpartition("_")
        if key in parameters:
            right = parameters[key] in value if isinstance(value, list) else parameters[key] == value
        elif bound in ("min", "max") and name in parameters:
            right = parameters[name] >= value if bound == "min" else parameters[name] <= value
        else:
            raise ValueError(
                f"`where` names {key!r}, but the points have {', '.join(parameters)}. "
                "Use one of these, or one of these followed by _min or _max."
            )
        if not right:
            return False
    return True
