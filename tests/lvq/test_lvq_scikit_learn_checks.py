"""scikit-learn's own checks over everything public in this room, in full."""

import pytest
from sklearn.utils.estimator_checks import check_estimator

import markone.lvq as lvq

STUDENTS = [cls() for name in lvq.__all__ if hasattr(cls := getattr(lvq, name), "get_params")]
# The only checks that may be skipped: they need an environment variable set before scipy is imported,
# and markone computes with numpy arrays only.
NEEDS_ARRAY_API = "SCIPY_ARRAY_API is not set"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize("student", STUDENTS, ids=str)
def test_passes_all_checks(student):
    outcome = check_estimator(student, on_fail=None)
    assert len(outcome) > 40
    for check in outcome:
        if check["status"] == "skipped":
            assert NEEDS_ARRAY_API in str(check["exception"]), check
        else:
            assert check["status"] == "passed", f"{check['check_name']}: {check['exception']!r}"
