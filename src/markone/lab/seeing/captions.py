"""What stands below a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markone.lab.seeing.words import names

if TYPE_CHECKING:
    from markone.lab.declare import Declaration


def picture_caption(declaration: Declaration, figure: Any) -> str:
    title = declaration.scenario_object.pictures[figure.picture].title.rstrip(".")
    return f"{title} ({names(figure.where)})." if figure.where else f"{title}."


def curves_caption(declaration: Declaration, figure: Any) -> str:
    scenario = declaration.scenario_object
    meant = "; ".join(f"{m}: {scenario.measures[m]}" for m in figure.measures if m in scenario.measures)
    caption = f"{meant or ', '.join(figure.measures)}."
    if (getattr(figure, "kind", None) or "lines") == "lines":
        theories = [scenario.theories[name].title for name in figure.theory]
        places = [scenario.marks[name].title for name in getattr(figure, "marks", [])]
        caption += " Marks: means with 95 % intervals."
        caption += f" Lines: theory ({'; '.join(theories)})." if theories else ""
        caption += f" Vertical lines: {'; '.join(places)}." if places else ""
    return caption
