"""What a store records of a declaration beside the results, and what follows for them.

Real data: their names, sizes and hashes. Published numbers and claims are left out on other data.
Claims: each process that writes a store records their hashes with the time of its first result. What the
earliest of them has was claimed before the data; anything else was made or changed after them.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from markone.lab.schema import ClaimSpec, Declaration
from markone.numerics.text import format_count

AFTER_DATA = "made after seeing the data"
UNSEALED = "when it was made is not recorded"


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
    fetch = " `markone data semeion` fetches it." if about == "semeion" else ""
    return (
        f"This ran on {' and '.join(here)}, and the document is about {about}: its published numbers and its "
        f"claims are left out. Where {about} is available they are shown and tested.{fetch}"
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


def _seal_claim(declaration: Declaration, claim: ClaimSpec) -> str:
    """Hash of a claim: its text, place, direction and margin, and the formula of an own theory."""
    content = claim.model_dump(mode="json", exclude_none=True)
    theories = [claim.expect.equals_theory, *(claim.expect.every_run or {}).values()]
    own = {
        name: declaration.theory[name].model_dump(mode="json")
        for name in theories
        if isinstance(name, str) and name in declaration.theory
    }
    return hashlib.sha256(json.dumps([content, own], sort_keys=True).encode()).hexdigest()[:16]


def seal_claims(declaration: Declaration) -> dict[str, str]:
    """The texts of all claims by their hashes."""
    return {_seal_claim(declaration, claim): claim.text for claim in declaration.claims}


def _first_session(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The process with the first result; empty if nothing has been run."""
    return min(provenance.get("sessions", []), key=lambda one: one.get("started", ""), default={})


def describe_seals(provenance: Mapping[str, Any]) -> str:
    """The time of the first result and the hashes of the claims made before it; "" without any."""
    first = _first_session(provenance)
    return f"{first['started']}: {', '.join(first['claims'])}" if first.get("claims") else ""


def claim_remarks(declaration: Declaration, provenance: Mapping[str, Any]) -> list[str]:
    """For each claim a remark if it was not sealed before the first result, otherwise ""."""
    first = _first_session(provenance)
    if "claims" not in first:  # nothing has been run, or by an older version
        return [UNSEALED if first else ""] * len(declaration.claims)
    return ["" if _seal_claim(declaration, c) in first["claims"] else AFTER_DATA for c in declaration.claims]


def dropped_claims(declaration: Declaration, provenance: Mapping[str, Any]) -> list[str]:
    """Texts of the claims that were sealed before the first result and are no longer declared."""
    sealed = _first_session(provenance).get("claims", {})
    now = seal_claims(declaration) if sealed else {}
    return [text for seal, text in sealed.items() if seal not in now]
