"""`markone theory`: the theory curves in a terminal."""

import inspect
import json
from itertools import product
from pathlib import Path
from typing import Any

from markone.cli.terminal import echo

# Largest number of values of a range.
MAX_VALUES = 1_000_000


class RangeTooLong(ValueError):
    """A range with too many values."""


def show_curve(name: str | None, options: list[str], draw: Path | None, as_json: bool) -> None:
    if name is None:
        _list_curves(as_json)
        return
    import numpy as np

    from markone import theory

    curve = theory.curve(name)
    given = parse_options(options)
    x, several = _split_curve_options(curve, given)
    lines = []
    if not as_json:
        echo(f"{curve.title}: {curve.quantity}, valid for {curve.valid} [{curve.reference}]")
        echo(f"Kind: {curve.kind}. At finite N: {curve.finite_size}.")
    for parameters in _parameter_combinations(several):
        try:
            y = [float(value) for value in np.atleast_1d(curve(x, **parameters))]
        except (ArithmeticError, TypeError) as error:
            label = " ".join(f"--{key} {text}" for key, text in given.items())
            raise ValueError(
                f"{name} has no value at {label}: {error}. It is valid for {curve.valid}."
            ) from error
        lines.append((parameters, y))
        if as_json:
            echo(json.dumps({"curve": name, **parameters, curve.variable: x.tolist(), "values": y}))
            continue
        label = ", ".join(f"{key} = {value}" for key, value in parameters.items())
        for a, b in zip(x, y, strict=True):
            echo(f"{curve.variable} = {a:<8.6g} {b:.6g}" + (f"   {label}" if len(several) else ""))
    if draw:
        named = {", ".join(f"{key} = {value}" for key, value in given.items()): y for given, y in lines}
        title = ", ".join(filter(None, [curve.title, *(named if len(named) == 1 else ())]))
        draw_lines(draw, x, named, {"xlabel": curve.variable, "ylabel": curve.quantity, "title": title})


def _parameter_combinations(several: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Return one dictionary per combination of values: N = 20, 40 and noise = 0.1 give two."""
    return [dict(zip(several, values, strict=True)) for values in product(*several.values())]


def _list_curves(as_json: bool) -> None:
    from markone import theory

    for c in theory.list():
        facts = {
            "name": c.name,
            "title": c.title,
            "quantity": c.quantity,
            "valid": c.valid,
            "variable": c.variable,
        }
        line = f"{c.name:40} {c.quantity} of {c.title}, function of {c.variable}; {c.valid}"
        echo(json.dumps(facts) if as_json else line)


def parse_options(options: list[str]) -> dict[str, str]:
    """['--alpha', '1,2', '--noise=0.1'] -> {'alpha': '1,2', 'noise': '0.1'}."""
    words = [word for option in options for word in _split_option(option)]
    names, values = words[::2], words[1::2]
    if len(names) != len(values) or not all(name.startswith("--") for name in names):
        raise ValueError(
            f"Give parameters as --name value, not {' '.join(options)!r}: --alpha 0.5,1,2 --noise 0.1"
        )
    return {name[2:]: value for name, value in zip(names, values, strict=True)}


def _split_option(option: str) -> list[str]:
    return option.split("=", 1) if option.startswith("--") else [option]


def _split_curve_options(curve: Any, given: dict[str, str]) -> tuple[Any, dict[str, list[Any]]]:
    """Return the values of the curve's variable and of its parameters; raise if one is missing or unknown."""
    known = list(inspect.signature(curve.function).parameters)[1:]
    for name in given:
        if name != curve.variable and name not in known:
            options = ", ".join(f"--{k}" for k in [curve.variable, *known])
            raise ValueError(f"The curve {curve.name} has no parameter {name!r}. Its parameters: {options}.")
    for name in (curve.variable, *curve.needs):
        if name not in given:
            raise ValueError(
                f"Give the values of {name}: markone theory {curve.name} --{name} {_example_values(name)}"
            )
    parameters = {
        name: [_parse_value(word) for word in text.split(",")]
        for name, text in given.items()
        if name != curve.variable
    }
    return parse_numbers(given[curve.variable]), parameters


def _example_values(name: str) -> str:
    return {"P": "10,20,40", "K": "1,2,3", "N": "20"}.get(name, "0.5,1,2")


def parse_numbers(text: str) -> Any:
    """Parse '0.5,1,2', '0:2:0.5' (end included) or, if that is no step, '0.1:10:25': 25 values."""
    import numpy as np

    try:
        if ":" in text:
            return _parse_range(text)
        values = [float(word) for word in text.split(",")]
    except RangeTooLong:
        raise
    except (ValueError, ZeroDivisionError):
        raise ValueError(
            f"{text!r} is neither a list like 0.5,1,2 nor a range like 0:2:0.5 (steps) or 0:2:25 (values)."
        ) from None
    whole = all(value.is_integer() and abs(value) < 2**53 for value in values) and "." not in text
    return np.array(values, dtype=int if whole else float)


def _parse_range(text: str) -> Any:
    """Parse start:stop:step; an integer larger than stop - start is the number of values."""
    import numpy as np

    words = text.split(":")
    start, stop, step = (float(word) for word in words)
    if step > stop - start > 0 and words[2].isdigit() and 2 <= step <= MAX_VALUES:
        return np.linspace(start, stop, int(step))
    steps = (stop - start) / step
    if not 0 <= steps < MAX_VALUES or not np.isfinite([start, stop, step]).all():
        raise RangeTooLong(f"The range {text} is empty, or has more than {MAX_VALUES} values.")
    values = start + step * np.arange(int(np.floor(steps + 1e-9)) + 1)
    whole = all("." not in word for word in words) and np.abs(values).max() < 2**53
    return values.astype(int) if whole else values


def _parse_value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def draw_lines(path: Path, x: Any, lines: dict[str, Any], labels: dict[str, str]) -> None:
    """Draw curves y(x) by their labels into a file; `labels` are those of the axes and the title."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 3.5), layout="constrained")
    axes = figure.subplots()
    for label, y in lines.items():
        axes.plot(x, y, marker="o" if len(x) < 20 else None, label=label)
    if len(lines) > 1:
        axes.legend()
    axes.set(**labels)
    axes.title.set_fontsize("small" if len(labels["title"]) > 50 else "large")
    figure.savefig(path)
    echo(f"Drew {path}")
