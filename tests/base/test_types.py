"""What a type checker tells a user of markone: classes and arrays, not Any."""

import os
import re
import subprocess
import sys

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


def check(script, folder):
    path = folder / "script.py"
    path.write_text(script)
    # The user's own settings, not those of this repository; without a cache of his.
    how = ["--strict", "--config-file=", "--cache-dir", str(folder / "cache")]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", *how, path.name],
        cwd=folder,
        env=os.environ,
        capture_output=True,
        text=True,
    )
    return run.returncode, run.stdout


def plain(revealed):
    """Names without their modules and without what is inside brackets."""
    while "[" in revealed:
        revealed = re.sub(r"\[[^\[\]]*\]", "", revealed)
    return re.sub(r"[\w.]+\.", "", revealed)


def test_public_names_have_types(tmp_path):
    code, told = check(SCRIPT, tmp_path)
    assert code == 0, told
    assert [plain(one) for one in re.findall(r'Revealed type is "(.*)"', told)] == TYPES


def test_misspelt_names_and_parameters_are_found_before_anything_runs(tmp_path):
    code, told = check(MISSPELT, tmp_path)
    assert code == 1
    assert 'has no attribute "AdaTrom"; maybe "AdaTron"?' in told
    assert 'Unexpected keyword argument "c" for "AdaTron"' in told
