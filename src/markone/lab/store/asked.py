"""A declaration as a store keeps it. Nothing heavy is imported: `markone status` asks if it changed."""

import hashlib
import json
from typing import Any

from markone.lab.schema import Declaration


def left_out(declaration: Declaration) -> set[str]:
    """Keys that came later and say nothing here, and the chapter, which asks nothing: the same question keeps
    its digest."""
    late = {"task_limit": declaration.task_limit, "packages": declaration.packages}
    return {"chapter", *(key for key, value in late.items() if not value)}


def asked_text(declaration: Declaration) -> str:
    """As a store keeps a question."""
    return json.dumps(declaration.model_dump(exclude=left_out(declaration)))


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def asked(text: str) -> dict[str, Any]:
    """A stored declaration without what it left open."""
    return {key: value for key, value in json.loads(text).items() if value is not None}
