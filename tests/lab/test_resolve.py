"""Names that the scenario resolves to other names."""

import pytest
from toy_declarations import PLAIN

from markone.errors import DeclarationError
from markone.lab.load import parse_declaration

pytestmark = pytest.mark.usefixtures("toy")


def problems(data):
    """All messages of the error: each test compares them, so nothing is matched here."""
    with pytest.raises(DeclarationError) as caught:
        parse_declaration(data)
    return caught.value.problems


FIGURE = {"name": "f", "x": "alpha", "measures": ["height"]}
TABLE = {"name": "t", "rows": ["alpha"], "columns": ["height"]}


def test_a_name_that_means_another_is_replaced_everywhere():
    parts = {
        "grid": {"rule": ["best", "hebb"], "N": [5], "alpha": [1.0]},
        "figure": [FIGURE | {"where": {"rule": "best"}}],
        "table": [TABLE | {"where": {"rule": ["best", "hebb"]}}],
        "claim": [
            {
                "text": "t",
                "measure": "height",
                "where": {"rule": "hebb"},
                "expect": {"below_line": {"rule": "best"}},
            }
        ],
    }
    declaration = parse_declaration(PLAIN | parts)
    assert declaration.grid["rule"] == ["minover", "hebb"]
    assert [point["rule"] for point in declaration.points()] == ["minover", "hebb"]
    assert declaration.figures[0].where == {"rule": "minover"}
    assert declaration.tables[0].where == {"rule": ["minover", "hebb"]}
    assert declaration.claims[0].expect.below_line == {"rule": "minover"}
    parts["grid"] = {"rule": ["best", "minover"], "N": [5], "alpha": [1.0]}
    assert problems(PLAIN | parts) == [
        "grid.rule: 'best' and 'minover' both mean 'minover' here: name it once."
    ]
