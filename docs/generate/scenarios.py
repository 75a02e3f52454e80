"""One page for each scenario: description, parameters, measures, theory."""

import inspect
from collections import defaultdict

from generate.declarations import default_text, type_name
from markone.lab import catalogue, scenarios
from markone.lab.scenario import Scenario


def pages() -> dict[str, str]:
    used_by = defaultdict(list)
    for entry in catalogue.list_experiments():
        used_by[entry.scenario].append(entry.name)
    found = [scenarios.find_scenario(name) for name in sorted(scenarios.scenario_names())]
    made = {f"scenarios/{one.name}.md": scenario_page(one, used_by[one.name]) for one in found}
    return made | {"scenarios/index.md": scenario_index(found)}


def scenario_index(found: list[Scenario]) -> str:
    rows = "\n".join(f"| [{one.name}]({one.name}.md) | {first_line(one)} |" for one in found)
    names = "\n".join(one.name for one in found)
    return (
        "# Scenarios\n\nA scenario is the computation of one run of an experiment. A declaration gives "
        "its name, its parameters and what to draw.\n\n| name | what it does |\n|---|---|\n"
        f"{rows}\n\n```{{toctree}}\n:hidden:\n\n{names}\n```\n"
    )


def first_line(one: Scenario) -> str:
    return escape_cell((inspect.getdoc(inspect.getmodule(one.run)) or one.name).split("\n")[0])


def scenario_page(one: Scenario, experiments: list[str]) -> str:
    parts = [
        f"# {one.name}",
        first_line(one).replace("\\|", "|"),
        f"## Parameters\n\n```text\n{inspect.getdoc(one.parameters)}\n```\n\n{parameter_table(one)}",
        f"## Measures\n\n{meaning_table('measure', one.measures)}",
    ]
    if one.theories:
        titles = {
            name: f"{line.title}: {line.kind} of `{line.measure}`" for name, line in one.theories.items()
        }
        parts.append(f"## Theory\n\n{meaning_table('name', titles)}")
    if one.pictures:
        parts.append(f"## Pictures\n\n{meaning_table('name', {k: v.title for k, v in one.pictures.items()})}")
    if one.marks:
        parts.append(f"## Marks\n\n{meaning_table('name', {k: v.title for k, v in one.marks.items()})}")
    links = ", ".join(f"[{name}](../experiments/{name}.md)" for name in experiments)
    parts.append(f"## Experiments\n\n{links or 'None in the package.'}")
    return "\n\n".join(parts) + "\n"


def parameter_table(one: Scenario) -> str:
    schema = one.parameters.model_json_schema()
    needed = set(schema.get("required", ()))
    rows = [
        f"| `{key}` | {type_name(value)} | {'required' if key in needed else default_text(value)} |"
        for key, value in schema.get("properties", {}).items()
    ]
    return "| parameter | type | default |\n|---|---|---|\n" + "\n".join(rows)


def meaning_table(head: str, meanings: dict[str, str]) -> str:
    rows = "\n".join(f"| `{name}` | {escape_cell(text)} |" for name, text in meanings.items())
    return f"| {head} | meaning |\n|---|---|\n{rows}"


def escape_cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "\\<").replace("\n", " ")
