"""Scenarios are found by file name and follow the interface of the lab."""

from pathlib import Path

import pytest

from markone.lab import scenarios
from markone.lab.scenario import Scenario, Settings, each_repeat


@pytest.mark.parametrize("name", scenarios.scenario_names())
def test_a_scenario_is_named_like_its_file(name):
    found = scenarios.find_scenario(name)
    assert isinstance(found, Scenario)
    assert found.name == name
    assert found.version >= 1
    assert found.parameters.model_config.get("extra") == "forbid", "a slip in a TOML file must be refused"
    assert set(found.miniature) <= set(found.parameters.model_fields)
    assert {theory.measure for theory in found.theories.values()} <= set(found.measures)


def test_no_two_files_define_one_name():
    (folder,) = scenarios.__path__
    files = [path.stem for path in Path(folder).rglob("*.py") if "\nSCENARIO = " in path.read_text()]
    assert sorted(files) == scenarios.scenario_names()


def test_unknown_scenarios():
    for name in ("capacity", "sets", "_lanes", "rule"):
        with pytest.raises(ValueError, match="There is no scenario"):
            scenarios.find_scenario(name)
    with pytest.raises(ValueError, match="code of storage, which is part of this declaration"):
        scenarios.find_scenario("storage.storage")


def test_a_scenario_beside_the_subjects_is_found(toy):
    assert scenarios.find_scenario("toy").name == "toy"
    assert "toy" in scenarios.scenario_names()


class Level(Settings):
    level: float = 0.5


def test_a_table_has_the_columns_of_the_measures():
    made = {"parameters": Level, "cost": lambda p: 1.0}
    one = Scenario(
        "one",
        1,
        measures={"a": "level", "b": "repeat"},
        run=each_repeat(lambda p, seed, k: (p.level, k)),
        **made,
    )
    assert {name: list(values) for name, values in one.run({}, 1, 3, 5).items()} == {
        "a": [0.5, 0.5],
        "b": [3.0, 4.0],
    }
    assert [len(values) for values in one.run({}, 1, 3, 3).values()] == [0, 0]
    wrong = Scenario(
        "two", 1, measures={"a": "level"}, run=each_repeat(lambda p, seed, k: (p.level, k)), **made
    )
    with pytest.raises(ValueError, match="reshape"):
        wrong.run({}, 1, 0, 2)
