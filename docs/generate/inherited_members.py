"""Leave members inherited from scikit-learn and Python out of the reference."""

from typing import Any

from sphinx.application import Sphinx


def skip_inherited(
    app: Sphinx, what: str, name: str, member: Any, skipped: bool, options: Any
) -> bool | None:
    """Return True to leave a member out, None to let the next handler decide."""
    home = getattr(member, "__module__", None) or ""
    foreign = what == "class" and callable(member) and not home.startswith("markone")
    routed = name.startswith("set_") and name.endswith("_request")
    return True if foreign or routed else None


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-skip-member", skip_inherited)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
