"""Types that a type checker infers for users of markone: classes and arrays, not Any."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import numpy as np
from markone import AdaTron, CommitteeMachine, FeedForwardClassifier, GMLVQ, Hopfield
from markone import KernelAdaTron, Rosenblatt, separability
from markone.data import teacher_examples
from markone.evaluation import leave_one_out
from markone.theory import curve

X, y = np.zeros((4, 2)), np.array([0, 1, 0, 1])
reveal_type(AdaTron().fit(X, y))
reveal_type(AdaTron().fit(X, y).coef_)
reveal_type(AdaTron(C=1.0).fit(X, y).predict(X))
reveal_type(KernelAdaTron().fit(X, y).embedding_)
reveal_type(Rosenblatt().partial_fit(X, y))
reveal_type(Rosenblatt().fit(X, y).stability_)
reveal_type(GMLVQ().fit(X, y).prototypes_)
reveal_type(CommitteeMachine().fit(X, y))
reveal_type(FeedForwardClassifier().fit(X, y).w_)
reveal_type(Hopfield().fit(X).predict(X))
reveal_type(leave_one_out(AdaTron(), X, y).potentials)
reveal_type(separability(X, y))
reveal_type(teacher_examples(10, 5, seed=0).xi)
reveal_type(curve("hebb")(1.0))
"""
ARRAY = "ndarray"
TYPES = [
    "AdaTron", ARRAY, ARRAY, ARRAY, "Rosenblatt", f"float | {ARRAY}", ARRAY, "CommitteeMachine", ARRAY, ARRAY,
    ARRAY, "Separability", ARRAY, f"float | {ARRAY}",
]  # fmt: skip
MISSPELT = "from markone import AdaTrom\nfrom markone import AdaTron\nAdaTron(c=1.0)\n"


@pytest.fixture(scope="module")
def check(tmp_path_factory):
    """mypy with a user's settings, not those of this repository; its cache is kept: numpy takes long."""
    folder = tmp_path_factory.mktemp("user")
    root = Path(__file__).resolve().parents[2]
    cache = root / ".mypy_cache" / "of_a_user" if os.access(root, os.W_OK) else "cache"
    mypy = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", cache, "script.py"]

    def run(script):
        (folder / "script.py").write_text(script)
        done = subprocess.run(mypy, cwd=folder, capture_output=True, text=True)
        return done.returncode, done.stdout

    return run


def plain(revealed):
    """Names without their modules and without what is inside brackets."""
    while "[" in revealed:
        revealed = re.sub(r"\[[^\[\]]*\]", "", revealed)
    return re.sub(r"[\w.]+\.", "", revealed)


def test_public_names_have_types(check):
    code, output = check(SCRIPT)
    assert code == 0, output
    assert [plain(one) for one in re.findall(r'Revealed type is "(.*)"', output)] == TYPES


def test_misspelt_names_and_parameters_are_found_before_anything_runs(check):
    code, output = check(MISSPELT)
    assert code == 1
    assert 'has no attribute "AdaTrom"; maybe "AdaTron"?' in output
    assert 'Unexpected keyword argument "c" for "AdaTron"' in output
