"""Freshly compiled code and code from the cache give the same bits."""

import os
import subprocess
import sys

import pytest

CODE = """
import sys
from markone.lab.load import load_declaration
declaration = load_declaration(sys.argv[1])
point = declaration.points()[0]
values = declaration.scenario_object.run(point, 3, 0, 2)
print({name: [float(x).hex() for x in column] for name, column in values.items()})
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["version_space_noise", "drifting_teacher"])
def test_a_fresh_cache_changes_no_bit(name, tmp_path):
    environment = os.environ | {"MARKONE_CACHE_DIR": str(tmp_path)}
    cold, warm = (
        subprocess.run([sys.executable, "-c", CODE, name], env=environment, capture_output=True, check=True)
        for _ in range(2)
    )
    assert cold.stdout == warm.stdout
