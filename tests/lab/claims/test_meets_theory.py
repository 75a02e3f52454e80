"""Claims that a measure is what theory says."""

from stand_ins import ALPHAS, Declaration, claim, made_up

from markone.lab.claims.judge import judge


def answer(points, declaration=None, **asked):
    declaration = declaration or Declaration()
    declaration.claims = [claim(**asked)]
    (found,) = judge(declaration, points)
    return found


def test_equality_with_theory():
    declaration = Declaration()
    assert answer(made_up(declaration), equals_theory="cover").answer == "holds"
    assert answer(made_up(declaration), measure="kappa", equals_theory="kappa").answer == "holds"
    shifted = answer(made_up(declaration, b=-0.5), measure="kappa", equals_theory="kappa")
    assert shifted.answer == "holds"
    assert "A term b/N explains all of it" in shifted.sentence
    wrong = answer(made_up(declaration, offset=0.2), measure="kappa", equals_theory="kappa")
    assert wrong.answer == "does not hold"
    assert "does not explain it" in wrong.sentence
    silent = answer(made_up(declaration), measure="kappa", equals_theory="silent")
    assert (silent.answer, "says nothing" in silent.sentence) == ("undecided", True)


def test_with_one_N_a_difference_stays_a_difference():
    declaration = Declaration(grid={"N": [20], "alpha": ALPHAS})
    found = answer(made_up(declaration, b=-2.0), declaration, measure="kappa", equals_theory="kappa")
    assert found.answer == "does not hold"
    assert "Only one N" in found.sentence


def test_one_run_per_point_decides_nothing_about_theory():
    declaration = Declaration(repeats=1)
    found = answer(made_up(declaration), declaration, measure="kappa", equals_theory="kappa")
    assert found.answer == "undecided"
