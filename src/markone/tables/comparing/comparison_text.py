"""Text and tables of a comparison, for the terminal and the report."""

from __future__ import annotations

from typing import Any

from markone.numerics.text import format_count, format_rounded
from markone.show.page import PageTable
from markone.tables.comparing.comparison import ComparedModel, ModelComparison
from markone.tables.plan.task import REGRESSION
from markone.tables.regression.scores import ERROR_NAMES as OF_NUMBERS
from markone.tables.report.to_dict import to_plain
from markone.tables.row_intervals import AT_LEAST
from markone.tables.scores import NAMES, RESAMPLED


def measure_title(found: ModelComparison) -> str:
    return (NAMES | OF_NUMBERS)[found.measure]


def comparison_headline(found: ModelComparison) -> str:
    """Best model, the models not significantly different from it, and the quickest of these."""
    if not found.entries:
        return "No model could be fitted."
    best = found.entries[0]
    same = [e.name for e in found.entries[1:] if not found.pair_difference(best.name, e.name).real]
    worse = len(found.entries) - 1 - len(same)
    text = f"{best.name} has the best {measure_title(found)}, {_format_score_interval(best, found)}"
    if same:
        text += f"; {', '.join(same[:6])}{', ...' if len(same) > 6 else ''} do not differ significantly"
    if worse:
        text += f"; significantly worse: {worse} of {format_count(len(found.entries), 'model')}"
    quick = min([best, *(e for e in found.entries if e.name in same)], key=lambda e: e.seconds)
    if quick is not best:
        text += f". Among these {quick.name} is the quickest ({format_fit_time(quick)} a fit)"
    reasons = len(comparison_doubts(found))
    doubt = (
        f" All scores may be misleading, for {format_count(reasons, 'reason')} given below."
        if reasons
        else ""
    )
    return f"{text}.{doubt}"


def comparison_doubts(found: ModelComparison) -> list[str]:
    """Findings that question the scores."""
    return [str(finding) for finding in found.findings if finding.doubts_score]


def _format_score_interval(entry: ComparedModel, found: ModelComparison) -> str:
    shown = entry.estimates[found.measure]
    mean, low, high = format_rounded(
        [shown.mean, shown.low, shown.high], max(shown.high - shown.low, 2e-3) / 2
    )
    return f"{mean} (95 %: {low} to {high})"


def format_fit_time(entry: ComparedModel) -> str:
    return f"{entry.seconds:.2g} s" if entry.seconds < 100 else f"{entry.seconds:.0f} s"


def comparison_table(found: ModelComparison) -> PageTable:
    rows = []
    for k, entry in enumerate(found.entries):
        against = ["", ""]
        if k:
            pair = found.pair_difference(found.entries[0].name, entry.name)
            worse = abs(pair.mean)
            against = [f"{worse:.4g}", f"{pair.corrected:.2g}{' *' if pair.real else ''}"]
        rows.append([entry.name, _format_score_interval(entry, found), *against, format_fit_time(entry)])
    trivial = format_rounded([found.trivial], 1e-3 if found.task != REGRESSION else abs(found.trivial) / 100)[
        0
    ]
    rows.append(["(constant)", trivial, "", "", ""])
    return PageTable(["model", measure_title(found), "difference from best", "p (Holm)", "one fit"], rows)


def comparison_footnotes(found: ModelComparison) -> list[str]:
    texts = [
        f"The same {found.how} for all (seed {found.request.seed}), each model with its own settings.",
        RESAMPLED if found.task == REGRESSION else f"{RESAMPLED} {AT_LEAST}",
        "Differences: paired over the folds by the corrected resampled t-test; p after Holm's correction for "
        f"all {format_count(len(found.pairs), 'pair')}; * significantly different (p < "
        "0.05). Without *, equality "
        "is not shown either.",
        "The score of the best model is optimistic, since it was selected: expect slightly less on new rows.",
        "One fit: median over the folds, with its predictions, on one core.",
    ]
    return [*texts, *(f"{name} could not be fitted: {text}" for name, text in found.failed.items())]


def model_warnings(found: ModelComparison) -> list[str]:
    return [f"{entry.name}: {text}" for entry in found.entries for text in entry.said[:1]]


def pair_table(found: ModelComparison) -> PageTable:
    rows = [
        [p.first, p.second, f"{p.mean:.4g}", f"{p.low:.4g} to {p.high:.4g}"]
        + [f"{v:.2g}" for v in (p.p, p.corrected)]
        for p in sorted(found.pairs, key=lambda p: p.corrected)
    ]
    return PageTable(["first", "second", "first - second", "95 % (one pair)", "p", "p (Holm)"], rows)


def comparison_to_dict(found: ModelComparison) -> dict[str, Any]:
    made: dict[str, Any] = to_plain(
        {
            "task": found.task,
            "data": found.request.data,
            "target": found.target,
            "rows": found.rows,
            "measure": found.measure,
            "cv": str(found.how),
            "seed": found.request.seed,
            "headline": comparison_headline(found),
            "findings": [vars(finding) for finding in found.findings],
            "notes": found.notes,
            "trivial": found.trivial,
            "models": [
                {
                    "name": e.name,
                    "scores": {name: vars(v) for name, v in e.estimates.items()},
                    "folds": e.values,
                    "seconds_per_fit": e.seconds,
                    "warnings": e.said,
                }
                for e in found.entries
            ],
            "pairs": [vars(pair) | {"real": pair.real} for pair in found.pairs],
            "alike": [[e.name for e in found.entries[a : b + 1]] for a, b in found.runs],
            "failed": found.failed,
            "seconds": found.seconds,
        }
    )
    return made
