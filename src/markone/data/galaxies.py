"""Distances and velocities of 24 galaxies, the data of Fig. 2.1.

E. Hubble, "A relation between distance and radial velocity among extra-galactic nebulae", Proceedings of the
National Academy of Sciences 15 (1929) 168-173, Table 1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Name, distance in Mpc, radial velocity in km/s. The distances were too small by a factor of about seven.
GALAXIES = (
    ("S. Mag.", 0.032, 170),
    ("L. Mag.", 0.034, 290),
    ("NGC 6822", 0.214, -130),
    ("NGC 598", 0.263, -70),
    ("NGC 221", 0.275, -185),
    ("NGC 224", 0.275, -220),
    ("NGC 5457", 0.45, 200),
    ("NGC 4736", 0.5, 290),
    ("NGC 5194", 0.5, 270),
    ("NGC 4449", 0.63, 200),
    ("NGC 4214", 0.8, 300),
    ("NGC 3031", 0.9, -30),
    ("NGC 3627", 0.9, 650),
    ("NGC 4826", 0.9, 150),
    ("NGC 5236", 0.9, 500),
    ("NGC 1068", 1.0, 920),
    ("NGC 5055", 1.1, 450),
    ("NGC 7331", 1.1, 500),
    ("NGC 4258", 1.4, 500),
    ("NGC 4151", 1.7, 960),
    ("NGC 4382", 2.0, 500),
    ("NGC 4472", 2.0, 850),
    ("NGC 4486", 2.0, 800),
    ("NGC 4649", 2.0, 1090),
)


class Hubble(NamedTuple):
    """distance (Mpc), velocity (km/s) and name of each galaxy."""

    distance: NDArray[np.float64]
    velocity: NDArray[np.float64]
    names: tuple[str, ...]


def hubble() -> Hubble:
    """The distances and velocities of 24 galaxies that E. Hubble published in 1929.

    Returns
    -------
    Hubble
        `distance` (Mpc), `velocity` (km/s) and `names` of the galaxies.

    Examples
    --------
    >>> from markone.data import hubble
    >>> distance, velocity, names = hubble()
    >>> names[-1], float(distance[-1]), float(velocity[-1])
    ('NGC 4649', 2.0, 1090.0)
    """
    names, distance, velocity = zip(*GALAXIES, strict=True)
    return Hubble(np.array(distance, dtype=float), np.array(velocity, dtype=float), names)
