# Written by `python -m markone.base.stubs` from HOMES in __init__.py; not by hand.

from markone.data.clusters import Mixture as Mixture
from markone.data.clusters import gaussian_mixture as gaussian_mixture
from markone.data.clusters import two_classes as two_classes
from markone.data.galaxies import hubble as hubble
from markone.data.loading import chunks as chunks
from markone.data.loading import load as load
from markone.data.semeion import fetch_semeion as fetch_semeion
from markone.data.semeion import find_semeion as find_semeion
from markone.data.table import Table as Table
from markone.data.teachers import Examples as Examples
from markone.data.teachers import drifting_examples as drifting_examples
from markone.data.teachers import random_dichotomy as random_dichotomy
from markone.data.teachers import teacher_examples as teacher_examples

HOMES: dict[str, str]
__all__: list[str]
