"""Picklable problems: squares; slow, failing or process-killing pieces."""

import os
import time
from dataclasses import dataclass
from typing import Any


@dataclass
class Pieces:
    n: int
    data: Any = None
    slow: float = 0.0
    wrong: int = -1
    deadly: int = -1

    def __len__(self):
        return self.n

    def run_piece(self, k):
        time.sleep(self.slow)
        if k == self.wrong:
            raise ValueError(f"piece {k} is wrong")
        if k == self.deadly:
            os._exit(3)
        return k * k + (0.0 if self.data is None else float(self.data.sum()))
