"""Text and digest of a declaration in a store, with light imports: `markone status` compares them."""

import hashlib
import json
from typing import Any

from markone.lab.schema import Declaration


def _omitted_keys(declaration: Declaration) -> set[str]:
    """Keys left out of the digest: newer ones that are not set, and the chapter, so that the digest of an
    unchanged declaration stays the same."""
    late = {"task_limit": declaration.task_limit, "packages": declaration.packages}
    return {"chapter", *(key for key, value in late.items() if not value)}


def declaration_json(declaration: Declaration) -> str:
    """JSON text of a declaration in a store."""
    return json.dumps(declaration.model_dump(exclude=_omitted_keys(declaration)))


def text_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def parse_declaration_json(text: str) -> dict[str, Any]:
    """The keys of a stored declaration that have a value."""
    return {key: value for key, value in json.loads(text).items() if value is not None}
