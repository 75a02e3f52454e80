"""The recipe "Add an experiment" of CONTRIBUTING.md, one file."""

import json

import pytest

EXPERIMENT = """
# How far off is the slope of Hubble's line? A copy of `hubble`, reduced to one figure and one claim.
# About 0.1 s on one core.
name = "hubble_slope"
title = "The slope of Hubble's line under weight decay"
scenario = "linear_regression"    # new velocities around the fitted line, refitted
chapter = 2                       # of the notes
seed = 1                          # another seed, other noise
repeats = 40                      # universes for each point

[grid]
gamma = [0.0, 3.0, 30.0]          # weight decay

[fixed]
constant = true                   # with the clamped input -1

[[figure]]
name = "slope"
x = "gamma"
measures = ["slope"]
theory = ["slope"]
xlabel = "weight decay gamma"
ylabel = "slope / (km/s/Mpc)"

[[claim]]
text = "Weight decay pulls the slope towards zero."
measure = "slope"
expect = { falls_with = "gamma" }
"""


@pytest.fixture(scope="module")
def copy(package_copy):
    copy = package_copy
    copy.write("src/markone/experiments/hubble_slope.toml", EXPERIMENT.lstrip())
    return copy


def test_the_rules_for_shipped_experiments_hold(copy):
    copy.add_tests("lab/test_experiments.py")
    assert copy.passed("--noconftest", "tests/lab/test_experiments.py", "-k", "hubble_slope") == 6


def test_it_is_listed_checked_run_and_reported(copy):
    names = [json.loads(line)["name"] for line in copy.run("-m", "markone", "list", "--json").splitlines()]
    assert "hubble_slope" in names
    assert json.loads(copy.run("-m", "markone", "check", "hubble_slope", "--json"))["points"] == 3
    copy.run("-m", "markone", "run", "hubble_slope", "--workers", "1", "--quiet")
    copy.run("-m", "markone", "report", "hubble_slope")
    page = (copy.folder / "runs" / "hubble_slope" / "report.html").read_text()
    assert "<strong>holds</strong> Weight decay pulls the slope towards zero." in page
