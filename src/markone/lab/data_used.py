"""The real data sets of an experiment: names, sizes and hashes; and what is left out on other data."""

import hashlib
from functools import cache
from typing import Any

import numpy as np

from markone.lab.schema import Declaration
from markone.numerics.text import format_count


def real_data_names(declaration: Declaration) -> list[str]:
    """Names of the real data sets that the points read; none for generated data."""
    of = getattr(declaration.scenario_object, "data", None)
    return list(dict.fromkeys(of(point) for point in declaration.iterate_points())) if of else []


@cache
def _describe_real_data(name: str) -> str:
    """Number of rows and inputs, and a hash of all values and labels."""
    from markone.data import load

    table = load(name)
    X, y = np.ascontiguousarray(table.X, dtype="<f8"), np.asarray(table.y)
    content = hashlib.sha256(X.tobytes() + "\0".join(map(str, y)).encode()).hexdigest()
    return f"{format_count(len(X), 'row')} of {X.shape[1]} inputs, sha256 {content[:16]}"


def real_data_facts(declaration: Declaration) -> dict[str, str]:
    return {name: _describe_real_data(name) for name in real_data_names(declaration)}


def other_data_remark(declaration: Declaration) -> str:
    """Why published numbers and claims do not apply to these data; "" if they do."""
    about, here = getattr(declaration, "source_data", ""), real_data_names(declaration)
    if not about or not here or here == [about]:
        return ""
    return (
        f"This ran on {' and '.join(here)}, and the document is about {about}: its published numbers and its "
        f"claims are left out. Where {about} is available they are shown and tested."
    )


def drop_source_claims(declaration: Declaration) -> Declaration:
    """The declaration without published numbers and claims if the data are not those of the source."""
    if not other_data_remark(declaration):
        return declaration
    changes: dict[str, Any] = {
        "claim": [],
        "table": [table.model_copy(update={"published": {}, "source": ""}) for table in declaration.table],
    }
    return declaration.model_copy(update=changes)
