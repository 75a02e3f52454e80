"""The real sets by name."""

import hashlib

import numpy as np
import pytest
import sklearn.datasets

from markone.data import find_semeion, load, semeion


@pytest.mark.parametrize(("name", "shape", "K"), [
    ("iris", (150, 4), 3), ("wine", (178, 13), 3), ("breast_cancer", (569, 30), 2),
    ("digits", (1797, 64), 10),
])  # fmt: skip
def test_sets_by_name(name, shape, K):
    table = load(name)
    assert table.X.shape == shape
    assert len(table.feature_names) == shape[1]
    assert len(table.class_names) == K == len(np.unique(table.y))
    assert "scikit-learn" in table.source
    assert table.text_columns == []
    assert name in str(table)


def test_semeion_is_the_file_of_uci(semeion_path):
    path = semeion_path
    table = load("semeion", folder=path)
    assert table.X.shape == (1593, 256)
    assert set(np.unique(table.X)) == {0, 1}
    assert np.bincount(table.y).tolist() == [161, 162, 159, 159, 161, 159, 161, 158, 155, 158]
    assert semeion.rows_digest(table.X, table.y) == semeion.ROWS_SHA256
    np.testing.assert_array_equal(load(path).X, table.X)
    assert find_semeion(path.parent) == path


def test_semeion_by_the_environment(monkeypatch, semeion_path):
    path = semeion_path
    monkeypatch.setenv("MARKONE_DATA", str(path.parent))
    assert find_semeion() == path
    assert load("semeion").y[0] == 0


def test_semeion_that_is_not_there_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.delenv("MARKONE_DATA", raising=False)
    assert find_semeion() is None
    with pytest.raises(FileNotFoundError, match=r"neither folder nor MARKONE_DATA.*UCI.*folder="):
        load("semeion")
    with pytest.raises(FileNotFoundError, match=r"not in '.*UCI"):
        load("semeion", folder=tmp_path)
    (tmp_path / "semeion.data").write_text("0.0 1.0")
    digest = hashlib.sha256(b"0.0 1.0").hexdigest()[:12]
    with pytest.raises(ValueError, match=f"sha256 begins with {digest}, not with f43228ae3da5"):
        load("semeion", folder=tmp_path)


def test_what_openml_sends_is_compared_with_the_file(monkeypatch, semeion_path):
    table = load("semeion", folder=semeion_path)
    order = np.random.default_rng(0).permutation(1593)
    answer = [table.X[order], (table.y[order] + 1).astype(str)]
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda **_: tuple(answer))
    fetched = load("semeion", folder="openml")
    np.testing.assert_array_equal(fetched.y, table.y[order])
    assert "openml.org" in fetched.notes[0]
    answer[1] = np.roll(answer[1], 1)
    with pytest.raises(ValueError, match="is not the semeion set of UCI"):
        load("semeion", folder="openml")

    def offline(**_):
        raise OSError("no route")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", offline)
    with pytest.raises(FileNotFoundError, match=r"could not be reached \(no route\)"):
        load("semeion", folder="openml")
