"""Points expanded in bulk equal those expanded one by one."""

import math
from functools import partial
from typing import Annotated

import numpy as np
import pytest
from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    PlainSerializer,
    ValidationInfo,
    field_validator,
    model_validator,
)

from markone.lab import catalogue
from markone.lab.done_blocks import NAMES
from markone.lab.expansion import NAME, each_by_itself, understood
from markone.lab.load import load
from markone.lab.survey import names, priced, survey
from markone.lab.tasks import cost_of, first_task, size_of_blocks, sizes_of_blocks


def above(least, value):
    assert value > least
    return value


class Plain(BaseModel):
    N: Annotated[int, AfterValidator(partial(above, 0))]
    alpha: float = 1.0

    @field_validator("alpha")
    @classmethod
    def _positive(cls, value: float) -> float:
        return abs(value)


class Together(Plain):
    @model_validator(mode="after")
    def _even(self):
        return self


class Neighbours(Plain):
    @field_validator("N")
    @classmethod
    def _less(cls, value: int, info: ValidationInfo) -> int:
        return value


class Made(Plain):
    P: list = Field(default_factory=list)


class Written(Plain):
    gamma: Annotated[float, PlainSerializer(str)] = 1.0


class Named(Plain):
    beta: float = Field(default=1.0, alias="b")


def test_only_what_looks_at_one_value_is_understood_by_itself():
    assert each_by_itself(Plain)
    assert not any(map(each_by_itself, (Together, Neighbours, Made, Written, Named)))


@pytest.mark.parametrize("name", catalogue.names())
def test_shipped_experiments_in_bulk_and_one_by_one(name):
    declaration = load(name)
    grid = understood(declaration)
    number, cost = priced(declaration, grid)
    chosen = range(0, len(number), 1 + len(number) // 20)
    found = np.frombuffer(b"".join(part.tobytes() for part in names(declaration, grid, number)), dtype=NAMES)
    assert len(found) == len(number)
    for k in chosen:
        parameters = declaration.point(int(number[k]))
        assert found[k].tobytes().hex() == first_task(declaration, parameters).point
        assert cost[k] == cost_of(declaration.scenario_object, parameters)
    if grid:
        each = list(zip(grid.settings(), grid.written(), declaration.points(), strict=True))
        for settings, written, parameters in each[:: 1 + len(each) // 20]:
            assert settings == declaration.scenario_object.parameters(**parameters)
            assert written == parameters


def test_points_are_counted_alike_in_bulk_and_in_turn():
    declaration = load("capacity_large")
    assert understood(declaration).along is not None
    numbers, costs = priced(declaration, understood(declaration))
    assert [a.tolist() for a in priced(declaration, None)] == [numbers.tolist(), costs.tolist()]
    assert survey(declaration, {}).number.tolist() == numbers.tolist()


def test_sizes_of_blocks_one_by_one_and_at_once():
    costs = np.concatenate([np.geomspace(1e-3, 1e17, 5001), np.arange(1, 3000) * 1e6 + 0.1])
    assert sizes_of_blocks(costs).tolist() == [size_of_blocks(cost) for cost in costs.tolist()]


def test_a_name_has_ten_bytes_and_odd_values_are_written_as_ever():
    declaration = load("demo_capacity")
    odd = declaration.model_copy(update={"grid": {"N": [5], "alpha": [1e-300, 1, 5e-324, 1e22, math.pi]}})
    grid = understood(odd)
    data = b"".join(grid.names("storage", 1, odd.seed))
    asked = [first_task(odd, parameters).point for parameters in odd.points()]
    assert [data[k : k + NAME].hex() for k in range(0, len(data), NAME)] == asked
