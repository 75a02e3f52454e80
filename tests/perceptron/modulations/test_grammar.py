"""Modulations as text: values, refused expressions, and students trained with them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from markone import OnlineStudent
from markone.data import teacher_examples
from markone.perceptron.modulations import parse_modulation

POTENTIALS = np.array([-2.0, -0.5, 0.0, 0.3, 1.7])


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("1", lambda E: 1.0),
        ("1 if E <= 0 else 0", lambda E: 1.0 if E <= 0 else 0.0),
        ("0 < E + 1 <= 1.5", lambda E: float(0 < E + 1 <= 1.5)),
        ("not E > 0 or E == 1.7", lambda E: float(not E > 0 or E == 1.7)),
        ("-E ** 2 + 3 * (E - 1) / 2", lambda E: -(E**2) + 3 * (E - 1) / 2),
        ("max(0, 1 - E) * tanh(E)", lambda E: max(0, 1 - E) * math.tanh(E)),
        ("exp(-abs(E)) if E > -1 else sqrt(2)", lambda E: math.exp(-abs(E)) if E > -1 else math.sqrt(2)),
        ("min(step(E), sign(E)) - log(3)", lambda E: min(float(E > 0), 1 if E >= 0 else -1) - math.log(3)),
    ],
)
def test_computes_the_python_expression(text, plain):
    np.testing.assert_allclose(parse_modulation(text)(POTENTIALS), [plain(E) for E in POTENTIALS], rtol=1e-12)


def test_all_variables_are_available():
    assert parse_modulation("eta * c + h / w - alpha")(0.0, eta=2, c=3, h=4, w=5, alpha=6) == pytest.approx(
        0.8
    )
    assert parse_modulation("1 / E")(0.0) == np.inf
    assert np.isnan(parse_modulation("log(E)")(-1.0))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("__import__('os')", "the call of '__import__' is not allowed"),
        ("E.real", "Attribute is not allowed"),
        ("[E]", "List is not allowed"),
        ("lambda: 1", "Lambda is not allowed"),
        ("(x := 1)", "NamedExpr is not allowed"),
        ("'a'", "is not a number"),
        ("1j", "is not a number"),
        ("E @ E", "MatMult is not allowed"),
        ("E % 2", "Mod is not allowed"),
        ("~E", "~ is not allowed"),
        ("E in E", "In is not allowed"),
        ("F", "'F' is unknown"),
        ("exp(E, E)", "takes 1, not 2"),
        ("max(*E)", "not allowed"),
        ("min(E, b=2)", "not allowed"),
        ("1e999", "too large"),
        ("9" * 199, None),
        ("9" * 201, "201 characters"),
        ("1 +", "is not an expression"),
        ("", "is not an expression"),
        ("E; E", "is not an expression"),
        ("(" * 100 + "E" + ")" * 99, "is not an expression"),
        ("E\x00", "is not an expression"),
    ],
)
def test_unsupported_syntax_is_refused(text, why):
    if why is None:
        assert np.isfinite(parse_modulation(text)(0.0)).all()
        return
    with pytest.raises(ValueError, match="(?s)" + why.replace("(", r"\(").replace("~", "~")):
        parse_modulation(text)


def test_deep_nesting_is_refused_before_it_runs():
    text = "max(1, " * 24 + "E" + ")" * 24
    assert parse_modulation(text)(3.0) == 3.0
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_modulation("1+(" * 40 + "E" + ")" * 40)


@settings(max_examples=150)
@given(st.text(alphabet="E01.+-*/()<>= ifelsand,maxpw", max_size=40))
def test_any_text_is_a_modulation_or_a_value_error(text):
    try:
        modulation = parse_modulation(text)
    except ValueError:
        return
    assert modulation(POTENTIALS).shape == POTENTIALS.shape


@pytest.mark.parametrize(
    ("text", "rule"), [("1", "hebb"), ("1 if E <= c else 0", "rosenblatt"), ("eta * (1 - E) / h", "lms")]
)
def test_the_known_rules_can_be_typed(text, rule):
    xi, S, _ = teacher_examples(120, 15, seed=3)
    typed = OnlineStudent(rule=text, c=0.2, eta=0.4, fit_intercept=False).fit(xi, S)
    known = OnlineStudent(rule=rule, c=0.2, eta=0.4, fit_intercept=False).fit(xi, S)
    np.testing.assert_allclose(typed.coef_, known.coef_, rtol=1e-9, atol=1e-12)
    assert typed.n_updates_ == known.n_updates_


def test_streams_and_records():
    xi, S, _ = teacher_examples(80, 10, seed=0)
    whole = OnlineStudent(rule="exp(-alpha) * (E < 1)", record="updates").fit(xi, S)
    parts = OnlineStudent(rule="exp(-alpha) * (E < 1)")
    parts.partial_fit(xi[:30], S[:30], classes=[-1, 1]).partial_fit(xi[30:], S[30:])
    np.testing.assert_allclose(whole.coef_, parts.coef_, rtol=1e-12)
    assert whole.history_["updates"][-1] == whole.n_updates_
    np.testing.assert_allclose(whole.history_.w[-1][:-1], whole.coef_[0])


def test_bad_rules_raise_with_an_explanation():
    xi, S, _ = teacher_examples(20, 5, seed=0)
    with pytest.raises(ValueError, match=r"There is no rule 'rosenblat'\. Did you mean 'rosenblatt'"):
        OnlineStudent(rule="rosenblat").fit(xi, S)
    with pytest.raises(ValueError, match="was not finite at example"):
        OnlineStudent(rule="1 / (E - E)").fit(xi, S)
