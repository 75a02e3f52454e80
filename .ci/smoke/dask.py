"""A local Dask cluster."""

from dask.distributed import Client

from markone import Hebb
from markone.data import teacher_examples


def right(seed):
    xi, S, _ = teacher_examples(20, 5, seed=seed)
    return Hebb().fit(xi, S).score(xi, S)


with Client(processes=False, dashboard_address=None, n_workers=1) as client:
    assert all(0.5 < score <= 1 for score in client.gather(client.map(right, range(3))))
