"""The data that an experiment ran on are named, and claims about others are left out."""

import pytest

from markone.lab import Experiment, recorded_facts
from markone.lab.load import load_declaration
from markone.lab.report.content import collect_content
from markone.lab.scenario import Point


def asked(data):
    return Experiment.load("digits_all").with_(data=data, student=["knn"], repeats=2, name="mine").declaration


def test_rows_and_hash_of_a_set():
    found = recorded_facts.real_data_facts(asked("digits"))
    assert list(found) == ["digits"]
    assert found["digits"].startswith("1797 rows of 64 inputs, sha256 ")
    assert recorded_facts.real_data_facts(load_declaration("capacity")) == {}


def test_they_are_in_store_provenance_and_report(tmp_path):
    experiment = Experiment(asked("digits"))
    result = experiment.run(store=tmp_path / "r.sqlite", progress=False, workers=1)
    assert result.provenance["data"] == recorded_facts.real_data_facts(experiment.declaration)
    content = collect_content(result.declaration, result.points, result.provenance)
    (row,) = [row for row in content.provenance.rows if row[0] == "data"]
    assert "digits 1797 rows of 64 inputs" in row[1]


def point():
    return Point({"data": "digits", "student": "knn"}, {}, 0, 0.0, ["x"])


def test_on_other_data_nothing_of_the_document_is_shown():
    declaration = Experiment.load("digits_all").with_(data="digits").declaration
    content = collect_content(declaration, [point()], {})
    assert content.claims == []
    (remark,) = [line for line in content.caveats if "This ran on digits" in line]
    assert "and the document is about semeion" in remark
    assert remark.endswith("`markone data semeion` fetches it.")
    assert "published = " in content.declaration
    assert all(not table.published for table in recorded_facts.drop_source_claims(declaration).tables)


def test_on_its_own_data_all_of_it_is():
    if load_declaration("digits_all").fixed[
        "data"
    ] != "semeion" and "semeion" not in recorded_facts.real_data_names(load_declaration("digits_all")):
        pytest.skip("semeion is not available")
    assert recorded_facts.other_data_remark(asked("semeion")) == ""
    assert recorded_facts.drop_source_claims(asked("semeion")).claims
