"""Claims that a measure equals theory."""

from generated_points import ALPHAS, Declaration, claim, made_up

from markone.lab.claims.judge import judge_claims


def answer(points, declaration=None, **asked):
    declaration = declaration or Declaration()
    declaration.claims = [claim(**asked)]
    (found,) = judge_claims(declaration, points)
    return found


def test_equality_with_theory():
    declaration = Declaration()
    assert answer(made_up(declaration), equals_theory="cover").answer == "undecided"  # 200 runs, 5 %
    assert answer(made_up(declaration), equals_theory="cover", within=0.2).answer == "holds"
    assert answer(made_up(declaration), measure="kappa", equals_theory="kappa").answer == "holds"
    shifted = made_up(declaration, b=-2.0, noise=0.02)
    assert answer(shifted, measure="kappa", equals_theory="kappa", within=0.5).answer == "holds"
    found = answer(shifted, measure="kappa", equals_theory="kappa", within=0.02)
    assert found.answer == "holds"
    assert "A term b/N explains it (b = -2" in found.sentence
    wrong = answer(made_up(declaration, offset=0.2), measure="kappa", equals_theory="kappa")
    assert wrong.answer == "does not hold"
    assert "0.21 away; a difference of 0.1 would count as equal" in wrong.sentence
    assert "does not explain it" in wrong.sentence
    silent = answer(made_up(declaration), measure="kappa", equals_theory="silent")
    assert (silent.answer, "is not defined" in silent.sentence) == ("undecided", True)


def test_with_one_N_a_difference_stays_a_difference():
    declaration = Declaration(grid={"N": [20], "alpha": ALPHAS})
    points = made_up(declaration, b=-2.0)
    found = answer(points, declaration, measure="kappa", equals_theory="kappa", within=0.03)
    assert found.answer == "does not hold"
    assert "Only one N" in found.sentence


def test_one_run_per_point_decides_nothing_about_theory():
    declaration = Declaration(repeats=1)
    found = answer(made_up(declaration), declaration, measure="kappa", equals_theory="kappa")
    assert found.answer == "undecided"
