"""The name of a point and its description, with and without own code."""

import json

from markone.lab.schedule.tasks import hash_content
from markone.lab.store.point_rows import divide_parameters, join_parameters
from markone.lab.store.verify import PointNames, session_code_states

SESSION = json.dumps({"markone": "0.1.0", "own code": "mine (sources 01ab), sklearn (version 1.7.0)"})
DESCRIBED = ("toy", 1, {"N": 5}, 7)


def test_states_of_a_session():
    assert session_code_states(SESSION) == [
        "markone (version 0.1.0)",
        "mine (sources 01ab)",
        "sklearn (version 1.7.0)",
    ]
    for odd in ("", "[]", "{}", "1", '{"markone": 1, "own code": 2}'):
        assert session_code_states(odd) == []


def test_names_with_the_states_of_the_code():
    names = PointNames([SESSION])
    for code in ([], ["mine (sources 01ab)"], ["sklearn (version 1.7.0)", "mine (sources 01ab)"]):
        point = hash_content(["toy", 1, {"N": 5}, 7, *code])
        assert names.matches_description([point], DESCRIBED)
        assert not names.matches_description([point], ("toy", 1, {"N": 6}, 7))
    assert not names.matches_description(
        [hash_content(["toy", 1, {"N": 5}, 7, "mine (sources ffff)"])], DESCRIBED
    )
    for odd in ((), ("toy", 1, None, 7), ("toy", 1, [], 7)):
        assert not names.matches_description(["0" * 20], odd)


def test_names_of_several_points():
    names = PointNames([SESSION])
    rules = ((5, "hebb"), (20, "a, b"), (1, None))
    asked = [{"N": N, "alpha": 0.5, "rule": rule} for N, rule in rules]
    points = [hash_content(["toy", 1, one, 7, "mine (sources 01ab)"]) for one in asked]
    described = ("toy", 1, json.loads(json.dumps(join_parameters(asked))), 7)
    assert list(divide_parameters(described[2], 3)) == asked
    assert names.matches_description(points, described)
    for wrong in (points[::-1], points[:2], [*points, points[0]]):
        assert not names.matches_description(wrong, described)
