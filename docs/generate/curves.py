"""One page for each exact curve: definition, validity, source, picture."""

import inspect
from pathlib import Path

import matplotlib as mpl
import numpy as np

from markone import theory
from markone.theory import Curve

PICTURES = Path(__file__).parent.parent / "reference" / "generated" / "curves"
SPANS = {
    "kappa": (0.0, 2.0), "noise": (0.0, 0.45), "drift": (0.001, 1.0), "eta": (0.01, 2.0), "m0": (0.0, 1.0),
    "K": (1, 20), "P": (1, 60),
}  # fmt: skip
NEEDED = {"N": 20, "alpha": 0.1, "eta": 0.5}
# A value of each variable for the example.
VALUES = {"kappa": 0.5, "noise": 0.1, "drift": 0.1, "m0": 0.5, "K": 3, "P": 40}


def pages(draw: bool = True) -> dict[str, str]:
    for curve in theory.list() if draw else ():
        draw_curve(curve)
    made = {f"curves/{curve.name}.md": curve_page(curve) for curve in theory.list()}
    names = "\n".join(curve.name for curve in theory.list())
    rows = "\n".join(
        f"| [{c.name}]({c.name}.md) | {c.title} | {c.quantity} | {c.valid} |" for c in theory.list()
    )
    index = (
        "# Theory curves\n\n`theory.curve(NAME)` is a function of its variable; "
        "`markone theory NAME` prints it.\n\n| name | of | quantity | holds for |\n|---|---|---|---|\n"
        f"{rows}\n\n```{{toctree}}\n:hidden:\n\n{names}\n```\n"
    )
    return made | {"curves/index.md": index}


def curve_page(curve: Curve) -> str:
    keywords = list(inspect.signature(curve.function).parameters)[1:]
    formula = inspect.getdoc(curve.function) or ""
    assumed = inspect.getdoc(inspect.getmodule(curve.function)) or ""
    example = VALUES.get(curve.variable, 1.0)
    needed = {name: NEEDED[name] for name in curve.needs}
    call = ", ".join([str(example), *(f"{name}={value}" for name, value in needed.items())])
    answer = f"{float(np.asarray(curve(example, **needed))):.6g}"
    return f"""# {curve.name}

{curve.title}: {curve.quantity} as a function of {curve.variable}.

```{{image}} {curve.name}.svg
:alt: "{curve.quantity} of {curve.title} over {curve.variable}"
:class: plain
```

| | |
|---|---|
| holds for | {curve.valid} |
| source | {curve_source(curve)} |
| parameters | {", ".join(keywords) or "none"} |

```python
from markone import theory
theory.curve("{curve.name}")({call})  # {answer}
```

## Formula

```text
{formula}
```

## Assumptions

```text
{assumed}
```
"""


def curve_source(curve: Curve) -> str:
    """Return the source; a number in parentheses is an equation of the notes."""
    return f"the notes, {curve.reference}" if curve.reference.startswith("(") else curve.reference


def draw_curve(curve: Curve) -> None:
    path = PICTURES / f"{curve.name}.svg"
    path.parent.mkdir(parents=True, exist_ok=True)
    from matplotlib.figure import Figure

    low, high = SPANS.get(curve.variable, (0.05, 6.0))
    whole = curve.variable in ("P", "K")
    x = np.arange(low, high + 1) if whole else np.linspace(low, high, 121)
    given = {name: NEEDED[name] for name in curve.needs}
    y = np.asarray(curve(x, **given), dtype=float)
    with mpl.rc_context({"svg.hashsalt": "markone", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(5, 3), layout="constrained")
        axes = figure.add_subplot()
        axes.plot(x, y, "o" if whole else "-", color="#0072B2", ms=3)
        axes.set(xlabel=curve.variable, ylabel=curve.quantity)
        axes.spines[["top", "right"]].set_visible(False)
        figure.savefig(path, metadata={"Date": None})
