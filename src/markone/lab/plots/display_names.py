"""Display names of students, measures and parameters in figures, and Greek letters."""

import re

NAMES = {
    "hebb": "Hebb",
    "rosenblatt": "Rosenblatt",
    "minover": "MinOver",
    "minover_optimal": "MinOver, optimal",
    "adaline": "Adaline",
    "adatron": "AdaTron",
    "knn": "k-NN",
    "lms": "LMS",
    "lvq1": "LVQ1",
    "glvq": "GLVQ",
    "grlvq": "GRLVQ",
    "gmlvq": "GMLVQ",
    "lgmlvq": "LGMLVQ",
    "rslvq": "RSLVQ",
    "mrslvq": "MRSLVQ",
    "gibbs": "Gibbs",
    "bayes": "Bayes",
    "pseudo_inverse": "pseudo-inverse",
    "one_against_rest": "one against the rest",
    "epsilon_g": "$\\epsilon_g$",
    "epsilon_t": "$\\epsilon_t$",
    "alpha_c": "$\\alpha_c$",
}
NAMES |= {
    "alpha": "α",
    "gamma": "γ",
    "epsilon": "ε",
    "eta": "η",
    "kappa": "κ",
    "lambda": "λ",
    "sigma": "σ",
    "tau": "τ",
    "to infinity": "→ ∞",
}
# A dotted name is a class of a package: its last part is displayed.
DOTTED = re.compile(r"\b(?:[A-Za-z_]\w*\.)+([A-Z]\w*)")
WORD = re.compile(r"\b(" + "|".join(sorted(NAMES, key=len, reverse=True)) + r")\b|_")


def display_text(text: str) -> str:
    """ "minover, alpha = 2" -> "MinOver, α = 2"; text between $ signs is unchanged."""
    parts = text.split("$")
    for k in range(0, len(parts), 2):
        short = DOTTED.sub(r"\1", parts[k])
        parts[k] = WORD.sub(lambda found: NAMES.get(found[0], " "), short)
    return "$".join(parts) if text.count("$") % 2 == 0 else text.replace("_", " ")
