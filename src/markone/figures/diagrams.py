"""What figures share: their entry in the gallery, and boxes, arrows and nodes on blank axes."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch

INK, SOFT, FILL, ACCENT = "0.15", "0.45", "0.93", "#0072B2"


@dataclass(frozen=True)
class Figure:
    """One entry: number or name, module, title, size (width as a part of the page, height to width),
    function, and texts or ids of the elements that its caption promises."""

    number: str
    module: str
    title: str
    size: tuple[float, float]
    draw: Callable[[Any], None]
    shows: tuple[str, ...] = ()


def numbered_figure(
    number: str, title: str, size: tuple[float, float]
) -> Callable[[Callable[[Any], None]], Figure]:
    """Decorator of a function that draws a figure: makes it an entry of the gallery."""
    return lambda draw: Figure(number, draw.__module__, title, size, draw)


def shows(*promised: str) -> Callable[[Figure], Figure]:
    """Decorator of an entry: what its caption promises."""
    return lambda figure: replace(figure, shows=promised)


def blank_axes(ax: Any, width: float, height: float) -> Any:
    """Turn off the frame and set limits (0, 0) to (width, height) with equal scales."""
    ax.set(xlim=(0, width), ylim=(0, height), aspect="equal")
    ax.set_axis_off()
    return ax


def draw_box(
    ax: Any, x: float, y: float, width: float, height: float, text: str = "", fill: str = FILL
) -> None:
    style = f"round,pad=0,rounding_size={0.12 * min(width, height)}"
    ax.add_patch(FancyBboxPatch((x, y), width, height, boxstyle=style, facecolor=fill, edgecolor=INK, lw=1))
    ax.text(x + width / 2, y + height / 2, text, ha="center", va="center", color=INK)


def draw_node(ax: Any, x: float, y: float, radius: float = 0.28, text: str = "", fill: str = "white") -> None:
    ax.add_patch(Circle((x, y), radius, facecolor=fill, edgecolor=INK, lw=1, zorder=3))
    ax.text(x, y, text, ha="center", va="center", zorder=4, color=INK)


def draw_arrow(
    ax: Any, start: Any, end: Any, colour: str = INK, bend: float = 0.0, gap: float = 0.0, **look: Any
) -> None:
    """Draw an arrow; gap: space left at both ends, in points."""
    options: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 9, "lw": 1.0} | look
    options = {"shrinkA": gap, "shrinkB": gap} | options
    bent = f"arc3,rad={bend}"
    ax.add_patch(FancyArrowPatch(start, end, connectionstyle=bent, color=colour, zorder=2, **options))


def write_label(ax: Any, place: Any, text: str, **look: Any) -> None:
    ax.text(*place, text, **({"ha": "center", "va": "center", "color": INK} | look))
