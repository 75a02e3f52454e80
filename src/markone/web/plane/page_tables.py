"""What a page without a server has of the plane: compiled students, and tables of examples."""

from base64 import b64encode
from typing import Any

import numpy as np

from markone.base.sklearn_compat import draw_seeds
from markone.web.offline.computed import ComputedScreen
from markone.web.plane.examples import PRESETS, load_plane_examples

STUDENTS = ("hebb", "rosenblatt", "pocket", "minover", "adaline", "lms", "adatron", "soft_adatron")
SIZES = (10, 20, 30, 40, 60, 100)
SEEDS = range(10)


def _make_tables() -> dict[str, Any]:
    """Examples of all sets, sizes and seeds as text, and the seeds of the students that draw examples."""
    points = {preset: {P: _encode_examples(preset, P) for P in SIZES} for preset in PRESETS}
    return {"points": points, "seeds": [draw_seeds(seed, 1)[0] for seed in SEEDS]}


def _encode_examples(preset: str, P: int) -> str:
    """Coordinates in thousandths as two int16; the last bit of the first is the label."""
    drawn = [load_plane_examples(preset, P, seed, None) for seed in SEEDS]
    codes = np.rint(1000 * np.concatenate([one.X for one in drawn])).astype("<i2")
    codes[:, 0] = 2 * codes[:, 0] + (np.concatenate([one.S for one in drawn]) > 0)
    return b64encode(codes.tobytes()).decode()


PLANE = ComputedScreen(
    "markone.web.plane._page_steps", _make_tables, {"students": STUDENTS, "P": SIZES}, SEEDS
)
