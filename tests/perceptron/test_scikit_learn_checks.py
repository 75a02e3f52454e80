"""scikit-learn's own checks over everything public, in full."""

import pytest
from sklearn.utils.estimator_checks import check_estimator

import markone.perceptron as perceptron

STUDENTS = [cls() for name in perceptron.__all__ if hasattr(cls := getattr(perceptron, name), "get_params")]
# A hard margin (the default of these two) tolerates no error, so that no price of errors can matter;
# with C finite they pass this check like all others.
HARD = {"check_class_weight_classifiers": "the hard margin has no errors to weigh"}
EXPECTED = {"AdaTron()": HARD, "KernelAdaTron()": HARD}
STUDENTS += [type(student)(C=1.0) for student in STUDENTS if str(student) in EXPECTED]
# The only checks that may be skipped: they need an environment variable set before scipy is imported,
# and markone computes with numpy arrays only.
NEEDS_ARRAY_API = "SCIPY_ARRAY_API is not set"


# The checks train on noise and on three overlapping clusters; that this is not separable is said by the
# students that need it, and tested elsewhere.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize("student", STUDENTS, ids=str)
def test_passes_all_checks(student):
    expected = EXPECTED.get(str(student), {})
    outcome = check_estimator(student, on_fail=None, expected_failed_checks=expected)
    assert len(outcome) > 40
    for check in outcome:
        if check["status"] == "skipped":
            assert NEEDS_ARRAY_API in str(check["exception"]), check
        elif check["check_name"] in expected:
            assert check["status"] == "xfail", "this check passes now: take it out of EXPECTED"
        else:
            assert check["status"] == "passed", f"{check['check_name']}: {check['exception']!r}"
