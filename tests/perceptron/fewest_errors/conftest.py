"""Put the exact reference and the sets of `separable` on the path."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "separable"))
