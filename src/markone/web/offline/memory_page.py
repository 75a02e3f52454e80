"""What a page without a server has of the memory: compiled recall, patterns, and curves of the theory."""

from base64 import b64encode
from typing import Any

import numpy as np

from markone.base.sklearn_compat import draw_seeds
from markone.hopfield.theory import retrieval
from markone.web.offline.computed import ComputedScreen
from markone.web.screens.memory import Memory, draw_flips, load_memory_patterns, theory_curve

SIDES, SEEDS, MOST = (6, 8, 10, 12, 14, 16), range(5), 60
TEMPERATURES = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
LIMITS = {"side": SIDES, "temperature": TEMPERATURES, "couplings": ("hebb", "pseudo_inverse")}


def _make_tables() -> dict[str, Any]:
    """Stored patterns as bits, the order of flipped bits, the seeds of the dynamics, and m(alpha)."""
    drawn = {f"{side}/{seed}": Memory(side=side, seed=seed, P=MOST) for side in SIDES for seed in SEEDS}
    digits = Memory(source="digits", P=MOST)
    patterns = {key: _encode_bits(load_memory_patterns(state)) for key, state in drawn.items()}
    return {
        "patterns": patterns | {"digits": _encode_bits(load_memory_patterns(digits))},
        "flips": {key: draw_flips(state).tolist() for key, state in drawn.items()},
        "seeds": [str(_first_stream(seed)) for seed in SEEDS],
        "theory": {f"{T:g}": theory_curve(Memory(temperature=T)) for T in TEMPERATURES},
        "capacity": retrieval.capacity(),
    }


def _first_stream(seed: int) -> int:
    """The state of the random numbers of `Hopfield(random_state=seed).trajectory`."""
    words = np.random.SeedSequence([draw_seeds(seed, 1)[0], 0]).generate_state(1, np.uint64)
    return int(words[0])


def _encode_bits(xi: Any) -> str:
    return b64encode(np.packbits(xi > 0).tobytes()).decode()


MEMORY = ComputedScreen("markone.web.offline._page_recall", _make_tables, LIMITS, SEEDS)
