"""Runs of experiments for their pages: in full if that takes seconds, else with fewer repeats."""

import re
from pathlib import Path

import matplotlib as mpl

from markone.lab import Experiment, Result, catalogue
from markone.lab.recorded_facts import other_data_remark

STORES = Path(__file__).parent.parent / "_build" / "experiments"
PICTURES = Path(__file__).parent.parent / "reference" / "generated" / "experiments"
# Core seconds for one page, the smallest number of runs of a point, and the seconds these may take.
BUDGET, FEWEST, MOST = 2.0, 2, 6.5
UNITS = {"h": 3600, "min": 60, "s": 1}


def draw_figures(name: str) -> tuple[list[str], str]:
    """Return the files of the figures (none if it cannot be run here) and a sentence about them."""
    result, sentence = run_experiment(name)
    if result is None:
        return [], sentence
    PICTURES.mkdir(parents=True, exist_ok=True)
    return [save_figure(result, figure.name) for figure in result.declaration.figures], sentence


def run_experiment(name: str) -> tuple[Result | None, str]:
    """Run as many repeats as the budget allows, continuing from the store."""
    whole = Experiment.load(name)
    declared = whole.declaration.repeats
    needed = parse_seconds(catalogue.find_experiment(name).time)
    fewest = min(FEWEST, declared)
    if not needed or needed * fewest / declared > MOST:
        return (
            None,
            "It takes too long for this page: `markone run` and `markone report` draw the figures.",
        )
    repeats = min(declared, max(fewest, int(declared * BUDGET / needed)))
    result = whole.with_(repeats=repeats).run(workers=1, store=STORES / f"{name}.sqlite", progress=False)
    if result.failures:
        return None, f"It cannot be drawn here: {result.failures[0]}"
    less = (
        "as declared"
        if repeats == declared
        else f"where {declared} are declared, to make this page in seconds"
    )
    others = f" {other_data_remark(result.declaration)}".rstrip()
    return result, f"Drawn from {repeats} runs a point, {less}.{others}"


def parse_seconds(text: str) -> float:
    """'4 h 34 min' is 16440 s."""
    return sum(float(number) * UNITS[unit] for number, unit in re.findall(r"([\d.]+) (h|min|s)", text))


def save_figure(result: Result, figure: str) -> str:
    with mpl.rc_context({"svg.hashsalt": "markone", "savefig.dpi": 130}):
        drawn = result.plot(figure)
        name = f"{result.name}-{figure}.png"
        drawn.figure.savefig(PICTURES / name, metadata={"Software": None})
    return name
