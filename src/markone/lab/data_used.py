"""The real data that an experiment runs on: their names, rows and a hash; and what is said of others."""

import hashlib
from functools import cache
from typing import Any

import numpy as np

from markone.lab.schema import Declaration
from markone.numerics.text import count


def names(declaration: Declaration) -> list[str]:
    """The sets that the points of the declaration read; none for drawn data."""
    of = getattr(declaration.scenario_object, "data", None)
    return list(dict.fromkeys(of(point) for point in declaration.each_point())) if of else []


@cache
def described(name: str) -> str:
    """Rows, inputs and a hash of all values and labels."""
    from markone.data import load

    table = load(name)
    X, y = np.ascontiguousarray(table.X, dtype="<f8"), np.asarray(table.y)
    content = hashlib.sha256(X.tobytes() + "\0".join(map(str, y)).encode()).hexdigest()
    return f"{count(len(X), 'row')} of {X.shape[1]} inputs, sha256 {content[:16]}"


def facts(declaration: Declaration) -> dict[str, str]:
    return {name: described(name) for name in names(declaration)}


def about_others(declaration: Declaration) -> str:
    """Why the published numbers and the claims of a document say nothing here; "" if they do."""
    about, here = getattr(declaration, "source_data", ""), names(declaration)
    if not about or not here or here == [about]:
        return ""
    return (
        f"This ran on {' and '.join(here)}, and the document is about {about}: its published numbers and its "
        f"claims are left out. Where {about} is at hand they are shown and judged."
    )


def without_the_document(declaration: Declaration) -> Declaration:
    """On other data than the document's: no published columns, no claims."""
    if not about_others(declaration):
        return declaration
    changes: dict[str, Any] = {
        "claim": [],
        "table": [table.model_copy(update={"published": {}, "source": ""}) for table in declaration.table],
    }
    return declaration.model_copy(update=changes)
