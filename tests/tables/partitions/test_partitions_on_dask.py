"""Partitions on the workers of a cluster, one of which is killed in the middle."""

import os
import signal

import numpy as np
import pandas as pd
import pytest

from markone import GMLVQ, AdaTron, LinearUnit
from markone.tables import fit_partitions

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def client():
    cluster = distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address=None,
        processes=True,
        silence_logs=50,
    )
    with cluster, distributed.Client(cluster, set_as_default=False) as client:
        yield client


@pytest.fixture(scope="module")
def pieces():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 600)
    X = rng.normal(size=(600, 4)) + y[:, None]
    return list(zip(np.array_split(X, 6), np.array_split(y, 6), strict=True))


def joined(pieces):
    return [np.concatenate(parts) for parts in zip(*pieces, strict=True)]


@pytest.mark.parametrize("model", [AdaTron(C=1.0), LinearUnit()], ids=repr)
def test_workers_give_the_weights_of_all_rows(client, pieces, model):
    whole, parts = model.fit(*joined(pieces)), fit_partitions(model, pieces, client=client)
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-8, atol=1e-8)


def test_a_worker_killed_in_the_middle_changes_nothing(client, pieces, monkeypatch):
    model = GMLVQ(max_iter=12)
    whole = model.fit(*joined(pieces))
    alone = fit_partitions(model, pieces)
    sent, submit = [], client.submit

    def deadly(*arguments, **how):
        sent.append(submit(*arguments, **how))
        if len(sent) == 40:
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        return sent[-1]

    monkeypatch.setattr(client, "submit", deadly)
    found = fit_partitions(model, pieces, client=client)
    assert len(sent) > 60
    np.testing.assert_array_equal(found.prototypes_, alone.prototypes_)
    np.testing.assert_allclose(found.prototypes_, whole.prototypes_, rtol=1e-8)
    np.testing.assert_allclose(found.lambda_, whole.lambda_, rtol=1e-8, atol=1e-8)


def test_a_frame_of_dask(client, pieces):
    dataframe = pytest.importorskip("dask.dataframe")
    X, y = joined(pieces)
    table = pd.DataFrame(X, columns=list("abcd")).assign(y=y)
    frame = dataframe.from_pandas(table, npartitions=4)
    whole = LinearUnit().fit(X, y)
    np.testing.assert_allclose(fit_partitions(LinearUnit(), frame, "y").coef_, whole.coef_, rtol=1e-8)
    found = fit_partitions(LinearUnit(), frame, "y", client=client)
    np.testing.assert_allclose(found.coef_, whole.coef_, rtol=1e-8)
