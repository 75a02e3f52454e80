"""Other values for an experiment: from Python and on the command line."""

import numpy as np
import pytest
from toy_declarations import study

from markone.errors import DeclarationError
from markone.lab.load import load_declaration
from markone.lab.overrides import change_declaration, parse_settings

pytestmark = pytest.mark.usefixtures("toy")


def test_a_list_is_an_axis_and_a_value_is_fixed_or_the_only_one_of_its_axis():
    rule = load_declaration("learning_a_rule")
    found = change_declaration(
        rule, {"N": [50, 100], "alpha": 2.0, "student": ("hebb", "adatron"), "noise": 0.1}
    )
    assert found.grid == {"student": ["hebb", "adatron"], "alpha": [2.0], "N": [50, 100]}
    assert found.fixed == {"noise": 0.1, "max_sweeps": 250}
    assert found.figures == rule.figures
    assert (len(found), len(rule)) == (4, 54)


def test_other_data_have_another_name_and_more_repeats_do_not():
    plain = study()
    assert change_declaration(plain, {"repeats": 40}).name == "study"
    assert change_declaration(plain, {"N": [5, 20], "alpha": np.array([0.5, 1.0, 1.5])}).name == "study"
    other, same = change_declaration(plain, {"N": [5]}), change_declaration(plain, {"N": 5})
    assert other.name == same.name != "study"
    assert other.name.startswith("study-")
    assert change_declaration(plain, {"seed": 8}).name not in (other.name, "study")
    assert change_declaration(plain, {"N": [5], "name": "mine"}).name == "mine"


def test_the_sentences_are_those_of_a_file():
    with pytest.raises(DeclarationError, match=r"grid\.Nn: There is no parameter .* 'Nn'. Did you mean 'N'"):
        change_declaration(study(), {"Nn": [5]})
    with pytest.raises(DeclarationError, match="repeats: Input should be greater than or equal to 1"):
        change_declaration(study(), {"repeats": 0})


def test_words():
    given = [
        "N=10,20",
        "alpha=0.5:1.5:0.5",
        "student=hebb",
        "exact=true",
        "tol=1e-3",
        "one=4,",
        "day=2020-01-01",
    ]
    assert parse_settings(given) == {
        "N": [10, 20],
        "alpha": {"start": 0.5, "stop": 1.5, "step": 0.5},
        "student": "hebb",
        "exact": True,
        "tol": 1e-3,
        "one": [4],
        "day": "2020-01-01",
    }
    for wrong in ("N", "=3", "N="):
        with pytest.raises(ValueError, match="must be name=value"):
            parse_settings([wrong])
    with pytest.raises(ValueError, match="N is given twice: write N=one,other"):
        parse_settings(["N=1", "N=2"])
