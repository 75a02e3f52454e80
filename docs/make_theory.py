"""Write docs/theory.md and docs/learning_curves.svg: every curve and every constant, computed by the package.

python docs/make_theory.py   (make docs)
"""

from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import numpy as np

from markone import theory
from markone.hopfield.theory import retrieval
from markone.machines.theory import capacity as machines
from markone.machines.theory import tree_learning
from markone.perceptron.theory import adaline, bayes, gibbs, hebb, max_stability, soft_margin
from markone.perceptron.theory.online import adatron, optimal, optimal_rate, rosenblatt

HERE = Path(__file__).parent
# Okabe and Ito: distinguishable for colour-blind readers; line styles differ as well.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999"]
BATCH = ["hebb", "adaline", "optimal_ridge", "gibbs", "max_stability", "bayes"]
ONLINE = [
    "online.hebb",
    "online.rosenblatt",
    "online.lms",
    "online.adatron",
    "online.optimal_rate",
    "online.optimal",
]


def save_learning_curves() -> None:
    plt.rcParams.update({"svg.hashsalt": "markone", "svg.fonttype": "none", "font.size": 9})
    drawn, panels = plt.subplots(1, 3, figsize=(11, 3.9), sharey=True, layout="constrained")
    draw_panel(panels[0], BATCH, "Batch learning, no noise")
    draw_panel(panels[1], ONLINE, "On-line learning, no noise")
    draw_panel(panels[2], [*BATCH, "soft_margin"], "Batch learning, 20 % of labels flipped", noise=0.2)
    panels[2].axvline(edge := max_stability.alpha_c(0.2), color="0.6", lw=0.8)
    panels[2].text(edge * 1.06, 0.485, "separable below", fontsize=7, va="top", color="0.4")
    panels[0].set_ylabel("generalization error")
    drawn.savefig(HERE / "learning_curves.svg", metadata={"Date": None})
    plt.close(drawn)


def draw_panel(panel: plt.Axes, names: list[str], title: str, noise: float = 0.0) -> None:
    alpha = np.union1d(np.geomspace(0.1, 20, 200), [1.0])  # includes the peak of the pseudo-inverse
    for k, name in enumerate(names):
        curve = theory.curve(name)
        style = ["-", "--", "-.", ":"][k % 4]
        panel.plot(alpha, curve(alpha, noise=noise), style, color=COLOURS[k], label=curve.title, lw=1.5)
    panel.set(
        xscale="log", xlabel="examples per weight, alpha = P/N", title=title, ylim=(0, 0.5), xlim=(0.1, 20)
    )
    panel.legend(fontsize=7, loc="lower left", frameon=False)


def list_constants() -> list[tuple[str, str, float]]:
    """Rows (student, formula or meaning, value)."""
    return [
        ("Hebb", "eps ~ C / sqrt(alpha)", hebb.asymptotic_constant()),
        ("Adaline, any ridge", "eps ~ C / sqrt(alpha)", adaline.asymptotic_constant()),
        ("Adaline", "best ridge, at every alpha", adaline.optimal_ridge()),
        ("Gibbs", "eps ~ A / alpha", gibbs.asymptotic_constant()),
        ("Bayes, centre of mass", "eps ~ A / alpha", bayes.asymptotic_constant()),
        ("Optimal stability", "eps ~ A / alpha", max_stability.asymptotic_constant()),
        ("Optimal stability", "kappa ~ a / alpha", max_stability.asymptotic_stability()),
        ("Separability threshold", "alpha_c at 20 % flipped labels", max_stability.alpha_c(0.2)),
        ("Soft margin, 20 % flipped", "eps ~ C / sqrt(alpha)", soft_margin.asymptotic_constant(0.2)),
        ("On-line Rosenblatt", "eps ~ C alpha^(-1/3)", rosenblatt.asymptotic_constant()),
        ("On-line AdaTron, eta = 3/2", "eps ~ C / alpha", adatron.asymptotic_constant(adatron.best_rate())),
        ("On-line perceptron, best rate", "eps ~ C / alpha", optimal_rate.asymptotic_constant()),
        ("Best on-line rule", "eps ~ C / alpha", optimal.asymptotic_constant()),
        ("Hopfield", "alpha_c", retrieval.capacity()),
        ("Hopfield", "overlap at alpha_c", retrieval.critical_overlap()),
        ("Tree committee, K = 3", "capacity, replica symmetric", machines.committee_replica_symmetric(3)),
        ("Tree committee, K = 3", "capacity, one step of breaking", machines.committee_one_step(3)),
        ("Tree parity, K = 2", "capacity, one step of breaking", machines.parity_one_step(2)),
        ("Tree parity, K = 2", "alpha where generalization begins", tree_learning.onset(2)),
        ("Tree parity, K = 3", "alpha where a state that generalizes appears", tree_learning.spinodal()),
        ("Tree parity, K = 3", "alpha where it gets the larger weight", tree_learning.transition()),
    ]


def write_page() -> str:
    lines = [
        "# Theory",
        "",
        "*Written by `make docs`; every number below was computed by the package.*",
        "",
        "![Generalization error of every student against the number of examples](learning_curves.svg)",
        "",
        "Most curves hold for N → ∞; the table gives the law of the deviation of a finite system, where",
        "that was measured. Curves are called by name:",
        "",
        "```python",
        "from markone import theory",
        "",
        'theory.curve("max_stability")([0.5, 1, 2, 5], noise=0.0)',
        "```",
        "",
        "## Constants",
        "",
        "| student | what | value |",
        "|---|---|---|",
        *(
            f"| {student} | {what.replace('|', '/')} | {value:.8g} |"
            for student, what, value in list_constants()
        ),
        "",
        "## Curves",
        "",
        "| name | of what | shows | of | valid for | kind | at finite N | reference |",
        "|---|---|---|---|---|---|---|---|",
        *(format_row(curve) for curve in theory.list()),
        "",
    ]
    return "\n".join(lines)


def format_row(curve: theory.Curve) -> str:
    cells = [f"`{curve.name}`", curve.title, curve.quantity, curve.variable, curve.valid]
    cells += [curve.kind, curve.finite_size, curve.reference]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    save_learning_curves()
    (HERE / "theory.md").write_text(write_page())
    print(f"wrote {HERE.name}/theory.md and {HERE.name}/learning_curves.svg")
