"""Figures of the LMS report, and of the stability report at its size: N = 200, 50 data sets, 250 sweeps."""

from markone.figures.reports.runs import figure_of_run

KINDS = ("data = halo", "data = dense", "data = arcs", "data = rings")
SURFACE, AXES = "Mean squared error over rate and iterations", ("learning rate", "iterations")
# Only the two students of the report; the experiment has more.
BOTH = {"student": ("minover", "rosenblatt")}
LABELS = ("α = P/N", "generalization error")
NOISY = ("MinOver, noise = 0.3", "Rosenblatt, noise = 0.3")
FIGURES = {
    "lms-1": figure_of_run("The four kinds of data", (1.0, 0.3), "lms", "classes", KINDS),
    "lms-2": figure_of_run(
        "Decision surface of the trained unit", (1.0, 0.35), "lms", "decision",
        ("data = halo", "0 of 100 wrong"),
    ),
    "lms-3": figure_of_run(f"{SURFACE}: separable data", (0.7, 0.85), "lms", "surface_halo", AXES),
    "lms-4": figure_of_run(f"{SURFACE}: Example 1", (0.7, 0.85), "lms", "surface_arcs", AXES),
    "lms-5": figure_of_run(f"{SURFACE}: Example 2", (0.7, 0.85), "lms", "surface_rings", AXES),
    "stability-1": figure_of_run(
        "MinOver learns a rule: eps_g(alpha), no noise", (0.65, 0.7), "learning_a_rule", "minover", LABELS,
        changes={"student": ("minover",)},
    ),
    "stability-2": figure_of_run(
        "MinOver and Rosenblatt learn a rule, no noise", (0.65, 0.7), "learning_a_rule", "minover_rosenblatt",
        ("MinOver", "Rosenblatt"), changes=BOTH, joined=True,
    ),
    "stability-3": figure_of_run(
        "MinOver and Rosenblatt with label noise 0, 0.1, 0.2, 0.3", (1.0, 0.6), "label_noise", "both", NOISY,
        changes=BOTH, joined=True,
    ),
}  # fmt: skip
