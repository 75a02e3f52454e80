"""Theoretical curves by name, with quantity and range of validity: `list()`, `curve("max_stability")`.

A curve is one entry in CURVES; its function is in the theory folder of its subject and imported when called.
`solve`, `bayes`, `online`, `twin` compute curves of a student and a world of one's own (ENGINE).
"""

import builtins
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, Literal

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.text import nearest_names

Kind = Literal["prediction", "upper bound", "asymptote"]
# Deviation of a finite system from a curve. EXACT: none. FIRST_ORDER: b/N, measured by simulations at
# several N in the tests. LIMIT: only the limit is claimed.
EXACT, FIRST_ORDER, LIMIT = "exact at N", "b/N", "N to infinity"
# Adaline at alpha = 1: (1/2 - eps) sqrt(N) = 0.33 for N = 25 to 400.
KINK = "b/N; b/sqrt(N) at alpha = 1"


@dataclass(frozen=True)
class Curve:
    """A function of one variable, with keyword parameters that have defaults (but `needs` must be given).

    kind: the curve is the mean, an upper bound on it, or its limit at the end of the axis. finite_size: the
    law of the deviation of a system of N inputs.
    """

    name: str
    title: str
    quantity: str
    valid: str
    reference: str
    path: str
    variable: str = "alpha"
    needs: tuple[str, ...] = ()
    kind: Kind = "prediction"
    finite_size: str = LIMIT

    @cached_property
    def function(self) -> Callable[..., Any]:
        module, _, name = self.path.partition(":")
        found: Callable[..., Any] = attrgetter(name)(importlib.import_module(f"markone.{module}"))
        return found

    def __call__(self, x: Any, **parameters: Any) -> float | Array:
        """Values at x; NaN where x is NaN, also for curves over counts, whose functions reject NaN."""
        missing = np.isnan(np.asarray(x, dtype=np.float64))
        if not missing.any() or not all(np.ndim(value) == 0 for value in parameters.values()):
            value: float | Array = self.function(x, **parameters)
            return value
        if missing.ndim == 0:
            return float("nan")
        values = np.full(missing.shape, np.nan)
        if not missing.all():
            values[~missing] = self.function(np.asarray(x)[~missing], **parameters)
        return values


EPS, SV = "generalization error", "support vectors per N"
ALWAYS, STORED = "alpha >= 0", "0 <= alpha <= 2, NaN beyond"
WIDE, SEPARABLE = "0 <= alpha <= 1e8", "0 <= alpha < alpha_c(noise), NaN beyond"
SOFT, GAMMA = "0 <= alpha <= 1e4, 0 < gamma <= inf", "0 <= alpha <= 1e4, 0 < gamma <= 1e6 or inf"
PT, PC, PO = "perceptron.theory.", "perceptron.theory.convex.students:", "perceptron.theory.online."
HT, MT, LT = "hopfield.theory.", "machines.theory.", "lvq.theory."
FLOW, TREE = "0 <= alpha <= 1e6, 0 <= noise < 1/2", "alpha >= 0; committee K = 3, parity K = 2, 3"
BGH = "Biehl, Ghosh, Hammer 2007"
NISHIMORI, FEW = "Nishimori line, replica symmetric", "K = 2, 3, NaN for other K"
RETRIEVAL, AGS = "0 <= alpha <= 0.1379, NaN beyond", "Amit, Gutfreund, Sompolinsky 1985"


def student_curve(
    name: str, title: str, valid: str, reference: str, folder: str = PT, law: str = LIMIT
) -> Curve:
    """Curve of the generalization error of the student `name` of a folder, or of a module with a colon."""
    path = f"{folder}{name}{'.' if ':' in folder else ':'}generalization_error"
    return Curve(name, title, EPS, valid, reference, path, finite_size=law)


def _norm_curve(name: str, title: str, valid: str, reference: str, folder: str = PO) -> Curve:
    """Curve of |w| of a student whose error is listed as well."""
    path = f"{folder}{name.split('.')[-1]}{'.' if ':' in folder else ':'}norm"
    return Curve(f"{name}.norm", title, "|w|", valid, reference, path)


def _prototype_curve(name: str, title: str, module: str, rate: str = "eta >= 0") -> Curve:
    """Curve of the generalization error of two prototypes with the rule of lvq/theory/<module>.py."""
    path, valid = f"{LT}{module}:generalization_error", f"0 <= alpha <= 1e12, {rate}"
    return Curve(name, title, EPS, valid, BGH, path, "alpha", ("eta",), finite_size=FIRST_ORDER)


# fmt: off
CURVES = (
    # storing random labels
    Curve("separable_fraction", "Cover", "separable fraction", "P, N >= 1", "Cover 1965",
          PT + "capacity:separable_fraction", "P", ("N",), finite_size=EXACT),
    Curve("alpha_c", "Gardner capacity", "alpha_c", "kappa >= 0, upper bound below", "Gardner 1988",
          PT + "capacity:alpha_c", "kappa"),
    Curve("stability", "Random labels", "kappa", STORED, "Gardner 1988",
          PT + "capacity:stability", finite_size=FIRST_ORDER),
    Curve("support_vectors", "Random labels", SV, STORED, "Gardner 1988",
          PT + "capacity:support_vectors", finite_size=FIRST_ORDER),
    Curve("storage_bound", "Random labels", "M*/N", STORED, "(3.29)",
          PT + "convergence:storage_bound", kind="upper bound"),
    # learning a rule
    student_curve("hebb", "Hebb", ALWAYS, "(3.12), f = 1", law=FIRST_ORDER),
    Curve("hebb.mean_error", "Hebb, mean over data sets", EPS, "1 <= P <= 100 N, N >= 2", "(3.12), f = 1",
          PT + "hebb:mean_error", "P", ("N",), finite_size=EXACT),
    student_curve("adaline", "Adaline", ALWAYS, "(3.53)", law=KINK),
    Curve("adaline.training_error", "Adaline", "mean (1 - E)^2", ALWAYS, "(3.66)",
          PT + "adaline:training_error"),
    Curve("adaline_at_n", "Adaline at finite N", EPS, "0 < alpha <= 1e6, N >= 2", "exact law, by quadrature",
          PT + "adaline_at_n:generalization_error", needs=("N",), finite_size=EXACT),
    Curve("optimal_ridge", "Adaline, best ridge", EPS, ALWAYS, "(2.9)", PT + "adaline:optimal_ridge_error"),
    student_curve("gibbs", "Gibbs", WIDE, "(3.35)"),
    student_curve("bayes", "Bayes, centre of mass", WIDE, "(3.37)"),
    Curve("volume", "Version space", "ln(volume)/N", WIDE, "(3.35)", PT + "volume:log_volume"),
    Curve("volume.label_entropy", "Version space", "information of a label (nats)", WIDE, "(3.35)",
          PT + "volume:label_entropy"),
    student_curve("max_stability", "Optimal stability", SEPARABLE, "(3.41)", law=FIRST_ORDER),
    Curve("max_stability.stability", "Optimal stability", "kappa", SEPARABLE, "(3.41)",
          PT + "max_stability:stability", finite_size=FIRST_ORDER),
    Curve("max_stability.support_vectors", "Optimal stability", SV, SEPARABLE, "(3.77)",
          PT + "max_stability:support_vectors", finite_size=FIRST_ORDER),
    Curve("max_stability.alpha_c", "Separability threshold", "alpha_c", "0 <= noise < 1/2",
          "Candes, Sur 2020", PT + "max_stability:alpha_c", "noise"),
    Curve("rule_bound", "Labels of a rule", "M*/N", SEPARABLE, "(3.29)",
          PT + "convergence:rule_bound", kind="upper bound"),
    student_curve("soft_margin", "Soft margin", SOFT, "(4.3)", PC, FIRST_ORDER),
    Curve("soft_margin.best_gamma", "Soft margin, best gamma", "gamma = C N", "0 < alpha <= 1e4",
          "(4.3)", PC + "soft_margin.best_gamma"),
    Curve("soft_margin.best_error", "Soft margin, best gamma", EPS, "0 <= alpha <= 1e4", "(4.3)",
          PC + "soft_margin.best_error"),
    _norm_curve("soft_margin", "Soft margin", SOFT, "(4.3)", PC),
    Curve("soft_margin.stability", "Soft margin", "1/|w|", SOFT, "(4.3)", PC + "soft_margin.stability"),
    Curve("soft_margin.training_error", "Soft margin", "training error", SOFT, "(4.3)",
          PC + "soft_margin.training_error"),
    Curve("soft_margin.free_support_vectors", "Soft margin, free", SV, SOFT, "(4.5)",
          PC + "soft_margin.free_support_vectors"),
    Curve("soft_margin.clipped_support_vectors", "Soft margin, clipped", SV, SOFT, "(4.5)",
          PC + "soft_margin.clipped_support_vectors"),
    student_curve("squared_hinge", "Squared hinge", SOFT, "H^[2], sec. 4.1.1", PC, FIRST_ORDER),
    _norm_curve("squared_hinge", "Squared hinge", SOFT, "H^[2], sec. 4.1.1", PC),
    student_curve("logistic", "Logistic regression", GAMMA, "Sur, Candes 2019", PC, FIRST_ORDER),
    _norm_curve("logistic", "Logistic regression",
          "0 <= alpha <= 1e4, 0 < gamma <= 1e6", "Sur, Candes 2019", PC),
    Curve("logistic_teacher.alpha_c", "Separability of a logistic teacher", "alpha_c",
          "0 <= strength <= 1e8 or inf", "Candes, Sur 2020", PT + "logistic_teacher:alpha_c", "strength"),
    # one pass over fresh examples
    Curve("online.hebb", "On-line Hebb", EPS, "alpha >= 0, 0 <= noise < 1/2", "Vallet 1989",
          PO + "hebb:generalization_error", finite_size=FIRST_ORDER),
    Curve("online.rosenblatt", "On-line Rosenblatt", EPS, FLOW + ", c >= 0", "(3.15); Biehl, Riegler 1994",
          PO + "rosenblatt:generalization_error", finite_size=FIRST_ORDER),
    Curve("online.rosenblatt.norm", "On-line Rosenblatt", "|w|", FLOW + ", c >= 0", "(3.15)",
          PO + "rosenblatt:norm"),
    Curve("online.adatron", "On-line AdaTron", EPS, FLOW + ", eta > 0", "Biehl, Riegler 1994",
          PO + "adatron:generalization_error", finite_size=FIRST_ORDER),
    Curve("online.adatron.stationary_error", "On-line AdaTron", EPS + ", alpha -> inf",
          "0 <= noise < 1/2, eta > 0", "Biehl, Riegler, Stechert 1995",
          PO + "adatron:stationary_error", "noise", kind="asymptote"),
    Curve("online.lms", "On-line Adaline (LMS)", EPS, "alpha >= 0, 0 <= noise < 1/2, eta > 0", "(3.64)",
          PO + "lms:generalization_error", finite_size=FIRST_ORDER),
    Curve("online.optimal", "Best on-line rule", EPS, FLOW, "Kinouchi, Caticha 1992",
          PO + "optimal:generalization_error", finite_size=FIRST_ORDER),
    Curve("online.optimal_rate", "Perceptron, best rate", EPS, "alpha >= 0, 0 <= noise < 1/2", "closed form",
          PO + "optimal_rate:generalization_error", finite_size=FIRST_ORDER),
    _norm_curve("online.hebb", "On-line Hebb", "alpha >= 0, 0 <= noise < 1/2", "Vallet 1989"),
    _norm_curve("online.adatron", "On-line AdaTron", FLOW + ", eta > 0", "Biehl, Riegler 1994"),
    _norm_curve("online.lms", "On-line Adaline (LMS)", "alpha >= 0, 0 <= noise < 1/2, eta > 0", "(3.64)"),
    _norm_curve("online.optimal", "Best on-line rule", FLOW, "Kinouchi, Caticha 1992"),
    Curve("online.drift", "Drifting teacher", EPS, FLOW + ", drift >= 0",
          "Biehl, Schwarze 1992; Kinouchi, Caticha 1993",
          PO + "drift:generalization_error"),
    Curve("online.drift.stationary_error", "Drifting teacher, many examples", EPS, "1e-60 <= drift <= 1e60",
          "Biehl, Schwarze 1992; Kinouchi, Caticha 1993",
          PO + "drift:stationary_error", "drift", kind="asymptote"),
    # associative memory
    Curve("hopfield.overlap", "Hopfield", "m", RETRIEVAL, AGS, HT + "retrieval:overlap"),
    Curve("hopfield.error_fraction", "Hopfield", "(1 - m)/2", RETRIEVAL, AGS,
          HT + "retrieval:error_fraction"),
    Curve("hopfield.overlap_at_temperature", "Hopfield at T > 0", "m",
          "0 <= alpha <= 0.1379 at T = 0, less for T >= 0.01, NaN beyond", AGS, HT + "temperature:overlap"),
    Curve("hopfield.energy", "Hopfield, retrieval", "H/N", RETRIEVAL, "(1.10)", HT + "retrieval:energy"),
    Curve("hopfield.spin_glass_energy", "Hopfield, spin glass", "H/N", "alpha >= 0", AGS,
          HT + "retrieval:spin_glass_energy"),
    Curve("hopfield.bit_error", "Hopfield, one bit", "error", "alpha >= 0", "(1.11)",
          HT + "dynamics:bit_error"),
    Curve("hopfield.one_step", "Hopfield, one parallel step", "m1", "-1 <= m0 <= 1, alpha >= 0", "(1.7)",
          HT + "dynamics:one_step", "m0", ("alpha",), finite_size=FIRST_ORDER),
    Curve("hopfield.two_steps", "Hopfield, two parallel steps", "m2", "-1 <= m0 <= 1, alpha >= 0", "(1.7)",
          HT + "dynamics:two_steps", "m0", ("alpha",), finite_size=FIRST_ORDER),
    Curve("hopfield.pseudo_inverse", "Pseudo-inverse couplings, one step", "m1",
          "0 <= alpha <= 1, NaN beyond", "Personnaz et al. 1985",
          HT + "couplings:pseudo_inverse_first_step", "m0", ("alpha",)),
    Curve("hopfield.optimal", "Optimal couplings, one step", "m1", STORED, "Kepler, Abbott 1988",
          HT + "couplings:optimal_first_step", "m0", ("alpha",)),
    # machines
    Curve("machines.bound", "Mitchison-Durbin bound", "alpha", "1 <= K <= 1e300",
          "Mitchison, Durbin 1989", MT + "bounds:capacity_bound", "K", kind="upper bound"),
    Curve("machines.committee.replica_symmetric", "Tree committee", "alpha", "K odd, NaN for even K",
          "replica symmetric",
          MT + "capacity:committee_replica_symmetric_curve", "K", kind="upper bound"),
    Curve("machines.committee.one_step", "Tree committee", "alpha", "K = 1, 3, NaN for other K",
          "one step of breaking", MT + "capacity:committee_one_step_curve", "K"),
    Curve("machines.parity.replica_symmetric", "Tree parity machine", "alpha", "1 <= K <= 1e6",
          "replica symmetric", MT + "capacity:parity_replica_symmetric", "K", kind="upper bound"),
    Curve("machines.parity.one_step", "Tree parity machine", "alpha", "1 <= K <= 1e6",
          "Barkai, Hansel, Kanter 1990", MT + "capacity:parity_one_step", "K"),
    Curve("machines.tree.gibbs", "Tree machine, Gibbs", EPS, TREE, NISHIMORI,
          MT + "tree_learning:gibbs_error"),
    Curve("machines.tree.bayes", "Tree machine, Bayes", EPS, TREE, NISHIMORI,
          MT + "tree_learning:bayes_error"),
    Curve("machines.tree.overlap", "Tree machine", "q per branch", TREE, NISHIMORI,
          MT + "tree_learning:overlap"),
    Curve("machines.tree.spinodal", "Tree parity machine, first state that generalizes", "alpha", FEW,
          NISHIMORI, MT + "tree_learning:spinodal_curve", "K"),
    Curve("machines.tree.transition", "Tree parity machine, transition to generalization", "alpha", FEW,
          NISHIMORI, MT + "tree_learning:transition_curve", "K"),
    # prototypes
    Curve("lvq1", "LVQ1, two clusters", EPS, "0 <= alpha <= 1e12, eta >= 0",
          "(5.4); Biehl, Ghosh, Hammer 2007", LT + "lvq1:generalization_error", "alpha", ("eta",),
          finite_size=FIRST_ORDER),
    Curve("lvq1.stationary_error", "LVQ1, many examples", EPS,
          "eta >= 0, NaN where a prototype is lost", BGH,
          LT + "lvq1:stationary_error", "eta", kind="asymptote"),
    _prototype_curve("lvq_plus_minus", "LVQ+- (LVQ2.1 without window), two clusters", "plus_minus"),
    _prototype_curve("learning_from_mistakes", "Learning from mistakes (LFM), two clusters", "mistakes",
          "eta > 0"),
    _prototype_curve("vq", "Vector quantization, two clusters", "quantization"),
    Curve("vq.quantization_error", "Vector quantization, two clusters", "(squared distance - |xi|^2)/2",
          "0 <= alpha <= 1e12, eta >= 0", BGH, LT + "quantization:quantization_error", "alpha", ("eta",)),
)

# What the engine in perceptron/theory/engine exports, and its file; imported when first used.
ENGINE = {
    "solve": "solve", "Solution": "solution", "explain": "solution", "Loss": "losses",
    "Sign": "channels", "Logistic": "channels", "Linear": "channels",
    "bayes": "bayes", "online": "flow", "twin": "solve",
    "extrapolate": "solution", "RandomFeatures": "worlds.inputs",
    "Covariance": "worlds.inputs", "TwoGaussians": "worlds.inputs", "Clusters": "worlds.inputs",
    "Classes": "worlds.classes",
}
# fmt: on


def __getattr__(name: str) -> Any:
    if name not in ENGINE:
        raise AttributeError(f"markone.theory has no {name!r}.")
    return getattr(importlib.import_module(f"markone.{PT}engine.{ENGINE[name]}"), name)


def list() -> builtins.list[Curve]:
    """All curves, in the order of the subject."""
    return [*CURVES]


def curve(name: str) -> Curve:
    """Return the curve of that name; ValueError with the nearest names if there is none."""
    for found in CURVES:
        if found.name == name:
            return found
    names = [c.name for c in CURVES]
    near = nearest_names(name, names, cutoff=0.4) or names
    raise ValueError(f"There is no curve {name!r}. Did you mean {', '.join(near)}? See theory.list().")
