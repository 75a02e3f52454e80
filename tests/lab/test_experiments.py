"""The shipped experiments, as files: every key known, every name one that the scenario has."""

import re
import tomllib

import pytest

from markone.lab.declaring import catalogue

HEAD = {
    "name",
    "title",
    "scenario",
    "seed",
    "repeats",
    "precision",
    "precision_of",
    "max_repeats",
    "read_first",
}
HEAD |= {"grid", "fixed", "figure", "claim"}
FIGURE = {"name", "kind", "x", "lines", "measures", "theory", "where", "xlabel", "ylabel", "logx", "logy"}
EXPECT = {"equals", "above", "below", "falls_with", "rises_with", "equals_theory"}

RULE = "N alpha noise student max_sweeps tol gamma ridge exact"
PARAMETERS = {
    "storage": "N alpha sweeps exact",
    "teacher_student": RULE,
    "stability": "N alpha labels noise tol max_sweeps",
    "convergence": "N alpha labels noise c max_sweeps",
    "online": "N alpha noise rule eta c",
    "lms": "data P unit eta eta_unit schedule tau count iterations order",
}
MEASURES = {
    "storage": "converged sweeps_used updates separable",
    "teacher_student": "epsilon_g R kappa epsilon_t updates stopped separable",
    "stability": "kappa support_vectors separable certified",
    "convergence": "updates bound ratio sweeps converged separable",
    "online": "R Q epsilon_g",
    "lms": "mse wiener_mse excess errors updates",
}
THEORIES = {
    "storage": "cover cover_limit",
    "teacher_student": "epsilon_g R kappa epsilon_t gibbs bayes",
    "stability": "kappa support_vectors cover",
    "convergence": "bound",
    "online": "R Q epsilon_g",
    "lms": "wiener wiener_mse",
}
ENTRIES = catalogue.entries()


def read(entry):
    return tomllib.loads(entry.path.read_text(encoding="utf-8"))


def every(name):
    return pytest.mark.parametrize("entry", ENTRIES, ids=[entry.name for entry in ENTRIES])(name)


def values(axis):
    if isinstance(axis, list):
        return axis
    count = round((axis["stop"] - axis["start"]) / axis["step"]) + 1
    return [round(axis["start"] + k * axis["step"], 10) for k in range(count)]


def test_all_experiments_of_the_source_documents_are_there():
    assert {entry.name for entry in ENTRIES} >= {
        *("capacity", "capacity_large", "capacity_1000", "capacity_sweeps", "learning_a_rule", "label_noise"),
        *("stability", "convergence", "online", "lms", "perceptron_rule", "demo_capacity", "demo_rule"),
    }


@every
def test_keys_are_known_and_the_name_is_the_file(entry):
    content = read(entry)
    assert set(content) <= HEAD
    assert content["name"] == entry.name
    assert content["title"]
    assert content["scenario"] in PARAMETERS
    assert content["figure"]
    assert content["claim"]
    assert "\n" not in content["read_first"].strip()  # one paragraph: a break in the file is escaped


@every
def test_the_grid_has_parameters_of_the_scenario_each_once(entry):
    content = read(entry)
    known = set(PARAMETERS[content["scenario"]].split())
    assert set(content["grid"]) <= known
    assert set(content.get("fixed", {})) <= known - set(content["grid"])
    for axis in content["grid"].values():
        found = values(axis)
        assert len(set(found)) == len(found) > 0
        assert len({type(value) for value in found}) == 1


@every
def test_figures_show_what_is_measured(entry):
    content = read(entry)
    grid, scenario = content["grid"], content["scenario"]
    names = [figure["name"] for figure in content["figure"]]
    assert len(set(names)) == len(names)
    for figure in content["figure"]:
        assert set(figure) <= FIGURE
        assert {figure["x"], *figure["lines"]} <= set(grid)
        assert figure["x"] not in figure["lines"]
        assert set(figure["measures"]) <= set(MEASURES[scenario].split())
        assert set(figure.get("theory", [])) <= set(THEORIES[scenario].split())
        assert figure.get("kind", "lines") in ("lines", "map", "surface")
        assert figure["xlabel"]
        assert figure["ylabel"]
        assert chosen(grid, figure.get("where", {}))


def chosen(grid, where):
    """The values that a filter leaves on each axis; {} if one is left empty."""
    left = {key: values(axis) for key, axis in grid.items()}
    for key, bound in where.items():
        name, _, kind = key.rpartition("_")
        if key in left:
            left[key] = [value for value in left[key] if value == bound]
        else:
            assert kind in ("min", "max"), key
            left[name] = [v for v in left[name] if (v >= bound if kind == "min" else v <= bound)]
    return left if all(left.values()) else {}


@every
def test_claims_can_be_decided(entry):
    content = read(entry)
    scenario = content["scenario"]
    for claim in content["claim"]:
        assert set(claim) <= {"text", "measure", "where", "expect"}
        assert claim["text"].strip()
        assert claim["measure"] in MEASURES[scenario].split()
        left = chosen(content["grid"], claim.get("where", {}))
        assert left, claim["text"]
        ((kind, expected),) = claim["expect"].items()
        assert kind in EXPECT
        if kind in ("falls_with", "rises_with"):
            assert len(left[expected]) > 1, claim["text"]
        if kind == "equals_theory":
            assert expected in THEORIES[scenario].split()


@every
def test_figures_have_few_enough_lines_to_be_read(entry):
    content = read(entry)
    for figure in content["figure"]:
        if figure.get("kind", "lines") == "lines":
            left = chosen(content["grid"], figure.get("where", {}))
            count = len(figure["measures"])
            for key, axis in left.items():
                count *= len(axis) if key != figure["x"] else 1
            assert count <= 12, figure["name"]


def test_the_settings_of_the_seeds():
    """Table I of seed 001 and section IV of seed 000."""
    shipped = {entry.name: read(entry) for entry in ENTRIES}
    base, large, fine = (shipped[name] for name in ("capacity", "capacity_large", "capacity_1000"))
    assert base["grid"]["N"] == [20, 40]
    assert values(base["grid"]["alpha"]) == [0.5 + 0.25 * k for k in range(15)]
    assert (base["repeats"], base["fixed"]["sweeps"]) == (50, 100)
    assert large["grid"]["N"] == [5, 20, 40, 100]
    assert len(values(large["grid"]["alpha"])) == 701
    assert (large["repeats"], large["fixed"]["sweeps"]) == (5000, 100)
    assert (fine["grid"]["N"], fine["precision"], fine["precision_of"]) == ([1000], 0.01, "separable")
    for name in ("learning_a_rule", "label_noise"):
        rule = shipped[name]
        assert (rule["fixed"]["N"], rule["fixed"]["max_sweeps"], rule["repeats"]) == (200, 250, 50)
        assert {"minover", "rosenblatt"} <= set(rule["grid"]["student"])


@every
def test_every_key_that_can_be_changed_is_explained(entry):
    text = entry.path.read_text(encoding="utf-8").split("[[figure]]")[0]
    text = re.sub(r'read_first = """.*?"""', "", text, flags=re.DOTALL)
    assert text.startswith("# ")
    for line in text.splitlines():
        if " = " in line and not line.startswith(("#", "name", "title")):
            assert "  # " in line, line
