"""Four ways to save and load a fitted model."""

import io
import pickle

import cloudpickle
import joblib
import skops.io


def by_pickle(model):
    return pickle.loads(pickle.dumps(model))


def by_cloudpickle(model):
    return cloudpickle.loads(cloudpickle.dumps(model))


def by_joblib(model):
    kept = io.BytesIO()
    joblib.dump(model, kept)
    kept.seek(0)
    return joblib.load(kept)


def by_skops(model):
    data = skops.io.dumps(model)
    trusted = skops.io.get_untrusted_types(data=data)
    # Only classes of markone: no recarray, no function, no numpy type that skops does not trust.
    assert all(name.startswith("markone.") for name in trusted), trusted
    return skops.io.loads(data, trusted=trusted)


WAYS = [by_pickle, by_cloudpickle, by_joblib, by_skops]
