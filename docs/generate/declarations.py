"""The page of all keys of a declaration, from its schema."""

import json
from typing import Any

from markone.lab.schema import Declaration

# Meaning of each key; a test fails if one is missing.
MEANINGS = {
    "The file": {
        "name": "The results go to runs/NAME/. Letters, digits, `_` and `-`.",
        "title": "One line above the report.",
        "scenario": "The computation of one run: [scenarios](scenarios/index.md).",
        "chapter": "Of the notes; `markone list` groups by it.",
        "packages": "Packages whose code it uses; none of it runs before the user allows it.",
        "source_data": "The data set of the published numbers and claims.",
        "seed": "Random seed; the same seed gives the same numbers everywhere.",
        "repeats": "Runs of each point of the grid.",
        "precision": "Repeat until the standard error of a point is this small.",
        "precision_of": "The measure that `precision` refers to.",
        "max_repeats": "Maximum number of runs of a point, with `precision`.",
        "task_limit": "Seconds after which a task is stopped; by default a multiple of its estimated time.",
        "read_first": "A paragraph to read before the figures.",
        "grid": "The axes: parameter = list of values, or { start, stop, step }. All combinations are run.",
        "fixed": "Parameters with one value.",
        "theory": "Each `[theory.NAME]`.",
        "figure": "Each `[[figure]]`.",
        "table": "Each `[[table]]`.",
        "claim": "Each `[[claim]]`.",
    },
    "ClaimSpec": {
        "text": "The claim, as shown in the report.",
        "measure": "The measure.",
        "says": "The sentence of a document that is tested, verbatim; empty for claims of ours.",
        "of": "The mean of the runs, or their standard deviation.",
        "where": "The points it refers to: a value, a list, or AXIS_min and AXIS_max.",
        "expect": "The condition on them, see below.",
    },
    "Expect": {
        "equals": "All means are this number.",
        "above": "All means are above it.",
        "below": "All means are below it.",
        "falls_with": "The means fall as this parameter grows.",
        "rises_with": "The means rise as this parameter grows.",
        "equals_theory": "The means agree with this line of theory.",
        "below_line": "Each mean is below that of the point with these other values.",
        "above_line": "Each mean is above it.",
        "below_measure": "Each mean is below that of this other measure of the same runs.",
        "grows_with": "The means grow as a power of this parameter between two numbers.",
        "largest_at": "The mean is largest where the parameter has this value.",
        "every_run": "Of each run instead of the means: at_most, at_least or equals.",
        "ratio": "Of the means to those of another line or measure, see below.",
        "within": "The margin of equals and equals_theory.",
    },
    "Ratio": {
        "line": "The point with these other values.",
        "measure": "Another measure of the same runs.",
        "above": "The ratio is above it.",
        "below": "The ratio is below it.",
    },
    "FigureSpec": {
        "name": "Its file.",
        "kind": "Curves, a map or a surface of two axes, or a picture of the scenario.",
        "picture": "The name of the picture.",
        "x": "The parameter on the horizontal axis.",
        "lines": "Parameters that distinguish lines.",
        "measures": "The measures on the vertical axis.",
        "theory": "Lines of theory of the scenario.",
        "marks": "Vertical lines of the scenario, at thresholds.",
        "where": "The points that are drawn: a value, a list, or AXIS_min and AXIS_max.",
        "xlabel": "Label of the horizontal axis.",
        "ylabel": "Label of the vertical axis.",
        "logx": "A logarithmic axis.",
        "logy": "A logarithmic axis.",
    },
    "TheorySpec": {
        "measure": "The measure it describes.",
        "quantity": "Its name in the solution's record, if it is not that of the measure.",
        "title": "Its text in the legend.",
        "kind": "What it says of the runs.",
        "curve": "A curve of `markone.theory`; its arguments are the parameters of the same names.",
        "python": "Instead: package.name of a function of the parameters, a `Theory` or a solution.",
        "alpha": "Examples per input: a number, a parameter or a formula of parameters.",
        "loss": "The loss of a convex student, as in `theory.solve`.",
        "penalty": "The coefficient of the squared penalty, or { l1, l2 }.",
        "teacher": "The teacher, by name or { kind, ... }; by default the scenario's.",
        "noise": "Label noise; by default the scenario's.",
        "inputs": "The law of the inputs: { spectrum } or { mu2, p_plus }.",
        "prior": "The law of the teacher's weights.",
        "intercept": "A threshold is learned, too.",
        "f": "The modulation of an on-line student, as in `theory.online`.",
        "drift": "Drift of the teacher, with f.",
        "decay": "Weight decay, with f.",
    },
    "TableSpec": {
        "name": "Its file.",
        "title": "Title of the table.",
        "rows": "Parameters: a row for each combination.",
        "columns": "Measures.",
        "across": "Parameters: a group of columns for each combination.",
        "where": "The points that are shown: a value, a list, or AXIS_min and AXIS_max.",
        "average": "Add a row with the mean of all.",
        "show": "The mean alone, with the standard deviation of the runs, or with its standard error.",
        "digits": "Decimals.",
        "published": "Published numbers by column, one for each row.",
        "source": "Where they are published.",
    },
}


# Title and description of each section.
SECTIONS = {
    "The file": ("The file", "The keys above the first section."),
    "TheorySpec": (
        "Theory",
        "Each `[theory.NAME]` is a line that `theory` of a figure and `equals_theory` of a claim may name. "
        "Texts are parameters or formulas of them. Give one of `loss`, `f` and `curve`.",
    ),
    "FigureSpec": (
        "Figures",
        "Each `[[figure]]` shows measures over x, one line for each combination of `lines`, with theory on "
        "the same axes; or a map or a surface over x and the one key in `lines`; or a picture that the "
        "scenario draws.",
    ),
    "TableSpec": (
        "Tables",
        "Each `[[table]]` has a row for each combination of `rows`, and a group of columns for each of "
        "`across`.",
    ),
    "ClaimSpec": (
        "Claims",
        "Each `[[claim]]` is a statement and the condition by which it is tested.",
    ),
    "Expect": (
        "Conditions of a claim",
        "The keys of `expect`: at least one of them, and all that are given must hold. "
        "[Declarations](../../declarations.md) has examples and explains how a claim is decided.",
    ),
    "Ratio": ("A ratio", "The keys of `ratio` in `expect`."),
}


def pages() -> dict[str, str]:
    schema = Declaration.model_json_schema()
    parts = {"The file": schema} | {
        name: part for name, part in schema.get("$defs", {}).items() if "properties" in part
    }
    ordered = sorted(parts, key=list(SECTIONS).index)  # fails if a title is missing
    text = (
        "# Declarations\n\nEvery key of an experiment's TOML file, as checked by `markone check`. "
        "`markone new capacity mine.toml` writes a file with a comment for each key.\n\n"
    )
    return {"declarations.md": text + "".join(key_table(name, parts[name]) for name in ordered)}


def key_table(name: str, schema: dict[str, Any]) -> str:
    needed = set(schema.get("required", ()))
    rows = "\n".join(
        f"| `{key}` | {type_name(value)} | {'required' if key in needed else default_text(value)} "
        f"| {MEANINGS.get(name, {}).get(key, '')} |"
        for key, value in schema.get("properties", {}).items()
    )
    title, about = SECTIONS[name]
    return f"## {title}\n\n{about}\n\n| key | type | default | meaning |\n|---|---|---|---|\n{rows}\n\n"


def type_name(value: dict[str, Any]) -> str:
    if "$ref" in value:
        name = value["$ref"].rsplit("/", 1)[1]
        return SECTIONS[name][0].lower() if name in SECTIONS else name
    if "anyOf" in value:
        return " or ".join(type_name(one) for one in value["anyOf"] if one.get("type") != "null")
    if value.get("type") == "array":
        return f"list of {type_name(value.get('items', {}))}"
    if "const" in value or "enum" in value:
        return ", ".join(f"`{one}`" for one in value.get("enum", [value.get("const")]))
    # An object of JSON is a table of TOML.
    return {"object": "table"}.get(value.get("type", "any"), str(value.get("type", "any")))


def default_text(value: dict[str, Any]) -> str:
    """Return the default value as TOML; an empty text if there is none."""
    if value.get("default") is None:
        return ""
    return f"`{json.dumps(value['default'])}`"
