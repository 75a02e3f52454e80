"""`markone theory`: the exact curves in a terminal."""

import inspect
import json
from pathlib import Path
from typing import Any

import typer


def show(name: str | None, options: list[str], draw: Path | None, as_json: bool) -> None:
    if name is None:
        _list(as_json)
        return
    import numpy as np

    from markone import theory

    curve = theory.curve(name)
    given = parse(options)
    x, parameters = split(curve, given)
    y = [float(value) for value in np.atleast_1d(curve(x, **parameters))]
    if as_json:
        typer.echo(json.dumps({"curve": name, **parameters, curve.variable: x.tolist(), "values": y}))
    else:
        typer.echo(f"{curve.title}: {curve.quantity}, valid for {curve.valid} [{curve.reference}]")
        typer.echo(f"Kind: {curve.kind}. At finite N: {curve.finite_size}.")
        for a, b in zip(x, y, strict=True):
            typer.echo(f"{curve.variable} = {a:<8g} {b:.6g}")
    if draw:
        _draw(curve, x, y, parameters, draw)


def _list(as_json: bool) -> None:
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
        typer.echo(json.dumps(facts) if as_json else line)


def parse(options: list[str]) -> dict[str, str]:
    """['--alpha', '1,2', '--noise=0.1'] -> {'alpha': '1,2', 'noise': '0.1'}."""
    words = [word for option in options for word in _words(option)]
    names, values = words[::2], words[1::2]
    if len(names) != len(values) or not all(name.startswith("--") for name in names):
        raise ValueError(
            f"Give parameters as --name value, not {' '.join(options)!r}: --alpha 0.5,1,2 --noise 0.1"
        )
    return {name[2:]: value for name, value in zip(names, values, strict=True)}


def _words(option: str) -> list[str]:
    return option.split("=", 1) if option.startswith("--") else [option]


def split(curve: Any, given: dict[str, str]) -> tuple[Any, dict[str, Any]]:
    """The values of the curve's variable and its parameters, or what is missing or unknown."""
    known = list(inspect.signature(curve.function).parameters)[1:]
    for name in given:
        if name != curve.variable and name not in known:
            options = ", ".join(f"--{k}" for k in [curve.variable, *known])
            raise ValueError(f"The curve {curve.name} has no parameter {name!r}. It knows {options}.")
    for name in (curve.variable, *curve.needs):
        if name not in given:
            raise ValueError(
                f"Give the values of {name}: markone theory {curve.name} --{name} {_example(name)}"
            )
    parameters = {name: _value(text) for name, text in given.items() if name != curve.variable}
    return numbers(given[curve.variable]), parameters


def _example(name: str) -> str:
    return {"P": "10,20,40", "K": "1,2,3", "N": "20"}.get(name, "0.5,1,2")


def numbers(text: str) -> Any:
    """'0.5,1,2' or '0:2:0.5' (the end belongs to it) as an array."""
    import numpy as np

    try:
        if ":" in text:
            start, stop, step = (float(word) for word in text.split(":"))
            return start + step * np.arange(round((stop - start) / step) + 1)
        values = [float(word) for word in text.split(",")]
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{text!r} is neither a list like 0.5,1,2 nor a range like 0:2:0.5.") from None
    whole = all(value.is_integer() for value in values) and "." not in text
    return np.array(values, dtype=int if whole else float)


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _draw(curve: Any, x: Any, y: list[float], parameters: dict[str, Any], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.plot(x, y, marker="o" if len(x) < 20 else None)
    title = ", ".join([curve.title, *(f"{name} = {value}" for name, value in parameters.items())])
    axes.set(xlabel=curve.variable, ylabel=curve.quantity, title=title)
    figure.savefig(path)
    typer.echo(f"Drew {path}")
