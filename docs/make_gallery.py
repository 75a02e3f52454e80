"""One sheet with the figures of all experiments: python docs/make_gallery.py [names].

A run in runs/ is drawn as it is; an experiment without a run is computed in miniature: few values of each
axis, three repeats, the small parameters of its scenario. The sheet shows the layout, not the results.
"""

import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageDraw

from markone.errors import MarkoneError
from markone.lab import Experiment, Result, catalogue, run_paths
from markone.lab.plots.drawn_figure import rendered_bytes

SHEET = Path("runs") / "gallery.png"
ACROSS, WIDE, HIGH = 5, 420, 300
VALUES, REPEATS = 5, 3


def make_miniature(name: str) -> Experiment:
    """Return the experiment with few values of each axis, including those that a figure selects."""
    whole = Experiment.load(name)
    tiny = dict(whole.declaration.scenario_object.miniature)
    chosen: dict[str, set] = {}
    for figure in whole.declaration.figures:
        for key, value in figure.where.items():
            chosen.setdefault(key, set()).update(value if isinstance(value, list) else [value])
    axes = {key: thin_values(values, chosen.get(key, set())) for key, values in whole.grid.items()}
    axes |= {key: [value] if key in axes else value for key, value in tiny.items() if key not in chosen}
    return whole.with_(**axes, repeats=REPEATS, precision=None, precision_of=None, max_repeats=None)


def thin_values(values: list, needed: set) -> list:
    step = max(1, (len(values) - 1) // (VALUES - 1))
    if not isinstance(values[0], int | float) or isinstance(values[0], bool):
        return values  # texts: one line each
    return [value for k, value in enumerate(values) if k % step == 0 or value in needed]


def load_or_run(name: str, folder: str) -> Result:
    if run_paths.store_path(name).exists():
        return Result.open(name)
    return make_miniature(name).run(store=Path(folder) / f"{name}.sqlite", progress=False)


def draw_pictures(name: str, folder: str) -> list[tuple[str, Image.Image]]:
    found = load_or_run(name, folder)
    drawn = [(f"{name}: {figure.name}", found.plot(figure.name)) for figure in found.declaration.figures]
    return [(title, Image.open(BytesIO(rendered_bytes(one, "png"))).convert("RGB")) for title, one in drawn]


def compose_sheet(shown: list[tuple[str, Image.Image]]) -> Image.Image:
    rows = -(-len(shown) // ACROSS)
    page = Image.new("RGB", (ACROSS * WIDE, rows * HIGH), "white")
    for k, (title, picture) in enumerate(shown):
        picture.thumbnail((WIDE - 16, HIGH - 30))
        x, y = k % ACROSS * WIDE + 8, k // ACROSS * HIGH
        page.paste(picture, (x, y + 20))
        ImageDraw.Draw(page).text((x, y + 4), title, fill="black")
    return page


def main(names: list[str]) -> None:
    shown = []
    with TemporaryDirectory() as folder:
        for name in names or catalogue.experiment_names():
            try:
                shown += draw_pictures(name, folder)
                print(f"{name}: {len(shown)} figures so far", flush=True)
            except (MarkoneError, ValueError) as error:
                print(f"{name} is skipped: {error}", file=sys.stderr)
    SHEET.parent.mkdir(exist_ok=True)
    compose_sheet(shown).save(SHEET)
    print(f"Wrote {SHEET}")


if __name__ == "__main__":
    main(sys.argv[1:])
