"""scikit-learn's own checks over both machines and all ways to train them, in full."""

import pytest
from sklearn.utils.estimator_checks import check_estimator

from markone.machines import CommitteeMachine, ParityMachine

MACHINES = [
    CommitteeMachine(),
    ParityMachine(),
    ParityMachine(rule="least_action", n_units=2, max_iter=100),
    pytest.param(CommitteeMachine(rule="minover", max_iter=20, n_restarts=1), marks=pytest.mark.slow),
    pytest.param(ParityMachine(validation_fraction=0.25), marks=pytest.mark.slow),
]
# They need an environment variable set before scipy is imported.
NEEDS_ARRAY_API = "SCIPY_ARRAY_API is not set"


# The checks train on noise, which few units cannot learn: said by a warning, and tested elsewhere.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_passes_all_checks(machine):
    outcome = check_estimator(machine, on_fail=None)
    assert len(outcome) > 40
    for check in outcome:
        if check["status"] == "skipped":
            assert NEEDS_ARRAY_API in str(check["exception"]), check
        else:
            assert check["status"] == "passed", f"{check['check_name']}: {check['exception']!r}"
