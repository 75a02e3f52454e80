"""Write docs/capacity_runs.md from the large experiments: python docs/make_capacity_runs.py STORE ...

The stores are those of `markone run capacity_large` and `markone run capacity_1000`, finished or not; the
page shows their state. Figures go to docs/static. Sections of experiments whose store is not given are kept.
"""

import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np

from markone.lab.claims.judge import decide_all_tests
from markone.lab.formatting import format_p_value
from markone.lab.result import Result
from markone.lab.scenario import drop_repeated_points
from markone.lab.statistics import estimate_points
from markone.run.progress import format_duration

DOCS = Path(__file__).resolve().parent
PAGE, PICTURES = DOCS / "capacity_runs.md", DOCS / "static"
HEAD = """# The large capacity experiments

Two experiments take too long for the build of these pages. These are the results of their runs,
written by `python docs/make_capacity_runs.py` from the stores; `markone run capacity_large` and `markone run
capacity_1000` compute the same numbers, bit for bit.
"""
# Rows of the table: near and far from the step.
SHOWN = (0.75, 1.0, 1.25, 1.5, 1.75, 1.9, 2.0, 2.1, 2.25, 2.5, 3.0, 4.0)


def describe_run(result: Result) -> str:
    """Summary of a run: data sets, points, state, time and machine."""
    different = drop_repeated_points(result.declaration.scenario_object, result.points)
    full = sum(point.repeats >= result.declaration.repeats for point in result.points)
    runs = sum(point.repeats for point in different)
    size = f"{runs:,} data sets".replace(",", " ") + f" at {len(different)} different points"
    state = (
        f"complete, all {len(result.points)} grid points"
        if full == len(result.points)
        else f"not finished: {full} of {len(result.points)} grid points have all of their sets"
    )
    seconds, kinds = result.provenance["seconds"], result.provenance.get("cpus", [])
    names = sorted({kind["compiled for"] for kind in kinds})
    where = f"on a shared machine ({', '.join(names)})" if names else "on a shared machine"
    return f"{size}, {state}; {format_duration(seconds)} wall-clock time in all tasks, {where}."


def fraction_table(result: Result) -> list[str]:
    """Table of measured and Cover's fractions, with the deviation in standard errors."""
    cover = result.declaration.scenario_object.theories["cover"].function
    grid = list(result.declaration.grid["alpha"])
    chosen = grid if len(grid) < 30 else [alpha for alpha in SHOWN if alpha in grid]
    lines = [
        "| N | α | sets | separable | Cover | deviation | learned in 100 sweeps |",
        "|---|---|---|---|---|---|---|",
    ]
    for point, found, learned in zip(
        result.points,
        estimate_points(result.points, "separable"),
        estimate_points(result.points, "converged"),
        strict=True,
    ):
        if point.repeats and point.parameters["alpha"] in chosen:
            theory = cover(point.parameters)
            error = np.sqrt(theory * (1 - theory) / found.n)
            off = f"{(found.mean - theory) / error:+.1f} s" if error > 1e-6 else "–"
            lines.append(
                f"| {point.parameters['N']} | {point.parameters['alpha']:g} | {found.n} | {found.mean:.4f} | "
                f"{theory:.4f} | {off} | {learned.mean:.4f} |"
            )
    return lines


def claims_table(result: Result) -> list[str]:
    claims, agreements = decide_all_tests(result.declaration, result.points)
    lines = ["| claim | answer | numbers |", "|---|---|---|"]
    lines += [f"| {c.text} | **{c.answer}** | {c.sentence} |".replace("\n", " ") for c in claims]
    for a in agreements:
        chi = a.uncorrected_chi_square
        numbers = f"χ² = {chi.value:.1f} for {chi.freedom} points, " if chi.freedom else ""
        numbers += f"adjusted p = {format_p_value(a.adjusted)}"
        lines.append(
            f"| figure *{a.figure}*: {a.theory} ({a.kind}) | p = {format_p_value(a.p)} | {numbers} |"
        )
    return lines


def save_figures(result: Result) -> list[str]:
    PICTURES.mkdir(exist_ok=True)
    lines = []
    for figure in result.declaration.figures:
        with mpl.rc_context({"savefig.dpi": 110}):
            drawn = result.plot(figure.name)
            name = f"{result.name}-{figure.name}.png"
            drawn.figure.savefig(PICTURES / name, metadata={"Software": None})
        lines.append(f"![{figure.ylabel} against {figure.xlabel}, measured and by theory](static/{name})\n")
    return lines


def write_section(result: Result) -> str:
    parts = [f"## {result.name}: {result.declaration.title}", describe_run(result), *save_figures(result)]
    parts += ["\n".join(claims_table(result)), "\n".join(fraction_table(result))]
    return "\n\n".join(parts)


def read_kept_sections() -> dict[str, str]:
    """Sections of the present page, by experiment."""
    if not PAGE.exists():
        return {}
    parts = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    return {part.split(":")[0]: f"## {part.strip()}" for part in parts}


def main() -> None:
    results = [Result.open(path) for path in sys.argv[1:]]
    if not results:
        sys.exit(__doc__)
    sections = read_kept_sections() | {result.name: write_section(result) for result in results}
    PAGE.write_text("\n\n".join([HEAD.strip(), *sections.values()]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
