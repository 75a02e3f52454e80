"""Report of a comparison of models."""

from __future__ import annotations

from typing import Any

from markone.numerics.text import format_count, format_rounded
from markone.show.page import PageTable
from markone.tables.comparing.comparison import ModelComparison
from markone.tables.comparing.differences import ComparedModel
from markone.tables.findings.evidence import doubt_sentence
from markone.tables.inspect.row_intervals import AT_LEAST
from markone.tables.plan.target import REGRESSION
from markone.tables.report.blocks import Items, Report, ReportPicture, Section, Table, Text, make_report
from markone.tables.report.formats import format_fit_time, format_interval
from markone.tables.report.to_dict import to_plain
from markone.tables.scoring import MEASURE_NAMES, RESAMPLED


def build_comparison_report(found: ModelComparison) -> Report:
    caption = (
        "Mean over the folds and its 95 % interval; dotted: constant prediction. A bar at the left joins "
        "models no two of which differ significantly."
    )
    warned = [f"{entry.name}: {entry.said[0]}" for entry in found.entries if entry.said]
    picture = ReportPicture(
        "models", caption, (found.entries, found.measure, found.trivial, found.runs), _pair_table(found)
    )
    return make_report(
        found.request,
        format_count(len(found.entries), "model"),
        (found.rows, found.inputs),
        f"target {found.target!r}",
        found.findings,
        [["time", f"{found.seconds:.1f} s"]],
        headline=comparison_headline(found),
        notes=found.notes,
        sections=[
            Section(
                "Models",
                [
                    picture,
                    Table(comparison_table(found), "numbers scores", most=100),
                    *(Text(text, small=True) for text in comparison_footnotes(found)),
                ],
            ),
            Section("Warnings of the models", [Items(warned)]),
        ],
        warning="These scores may be misleading",
    )


def comparison_headline(found: ModelComparison) -> str:
    """Best model, the models not significantly different from it, and the quickest of these."""
    if not found.entries:
        return "No model could be fitted."
    best = found.entries[0]
    same = [e.name for e in found.entries[1:] if not found.pair_difference(best.name, e.name).is_significant]
    worse = len(found.entries) - 1 - len(same)
    text = f"{best.name} has the best {MEASURE_NAMES[found.measure]}, {_format_score(best, found)}"
    if same:
        text += f"; {', '.join(same[:6])}{', ...' if len(same) > 6 else ''} do not differ significantly"
    if worse:
        text += f"; significantly worse: {worse} of {format_count(len(found.entries), 'model')}"
    quick = min([best, *(e for e in found.entries if e.name in same)], key=lambda e: e.seconds)
    if quick is not best:
        text += f". Among these {quick.name} is the quickest ({format_fit_time(quick.seconds)} a fit)"
    return f"{text}.{doubt_sentence(found.findings, 'All scores')}"


def _format_score(entry: ComparedModel, found: ModelComparison) -> str:
    mean, interval = format_interval(entry.estimates[found.measure])
    return f"{mean} (95 %: {interval})"


def comparison_table(found: ModelComparison) -> PageTable:
    rows = []
    for k, entry in enumerate(found.entries):
        against = ["", ""]
        if k:
            pair = found.pair_difference(found.entries[0].name, entry.name)
            against = [f"{abs(pair.mean):.4g}", f"{pair.corrected:.2g}{' *' if pair.is_significant else ''}"]
        rows.append([entry.name, _format_score(entry, found), *against, format_fit_time(entry.seconds)])
    width = 1e-3 if found.task != REGRESSION else abs(found.trivial) / 100
    rows.append(["(constant)", format_rounded([found.trivial], width)[0], "", "", ""])
    head = ["model", MEASURE_NAMES[found.measure], "difference from best", "p (Holm)", "one fit"]
    return PageTable(head, rows)


def comparison_footnotes(found: ModelComparison) -> list[str]:
    texts = [
        f"The same {found.how} for all (seed {found.request.seed}), each model with its own settings.",
        RESAMPLED if found.task == REGRESSION else f"{RESAMPLED} {AT_LEAST}",
        "Differences: paired over the folds by the corrected resampled t-test; p after Holm's correction for "
        f"all {format_count(len(found.pairs), 'pair')}; * significantly different (p < 0.05). Without *, "
        "equality is not shown either.",
        "The score of the best model is optimistic, since it was selected: expect slightly less on new rows.",
        "One fit: median over the folds, with its predictions, on one core.",
    ]
    return [*texts, *(f"{name} could not be fitted: {text}" for name, text in found.failed.items())]


def _pair_table(found: ModelComparison) -> PageTable:
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
            "findings": found.findings,
            "notes": found.notes,
            "trivial": found.trivial,
            "models": [
                {
                    "name": e.name,
                    "scores": e.estimates,
                    "folds": e.values[found.measure],
                    "seconds_per_fit": e.seconds,
                    "warnings": e.said,
                }
                for e in found.entries
            ],
            "pairs": [vars(pair) | {"real": pair.is_significant} for pair in found.pairs],
            "alike": [[e.name for e in found.entries[a : b + 1]] for a, b in found.runs],
            "failed": found.failed,
            "seconds": found.seconds,
        }
    )
    return made
