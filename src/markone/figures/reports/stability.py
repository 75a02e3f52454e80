"""Figures of the stability report (Learning a Rule), at its size: N = 200, 50 data sets, 250 sweeps."""

from functools import partial

from markone.figures.reports.runs import draw_run

# Only the two students of the report; the experiment has more.
BOTH = {"student": ("minover", "rosenblatt")}
FIGURES = {
    "stability-1": (
        "MinOver learns a rule: eps_g(alpha), no noise",
        (0.65, 0.7),
        partial(draw_run, name="learning_a_rule", figure_name="minover", changes={"student": ("minover",)}),
        ("α = P/N", "generalization error"),
    ),
    "stability-2": (
        "MinOver and Rosenblatt learn a rule, no noise",
        (0.65, 0.7),
        partial(
            draw_run, name="learning_a_rule", figure_name="minover_rosenblatt", changes=BOTH, joined=True
        ),
        ("MinOver", "Rosenblatt"),
    ),
    "stability-3": (
        "MinOver and Rosenblatt with label noise 0, 0.1, 0.2, 0.3",
        (1.0, 0.6),
        partial(draw_run, name="label_noise", figure_name="both", changes=BOTH, joined=True),
        ("MinOver, noise = 0.3", "Rosenblatt, noise = 0.3"),
    ),
}
