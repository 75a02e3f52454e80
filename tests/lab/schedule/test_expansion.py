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
from markone.lab.load import load_declaration
from markone.lab.schedule.grid import NAME_BYTES, expand_grid, has_independent_parameters
from markone.lab.schedule.remaining import NAMES, iterate_computed_names, price_points, survey_tasks
from markone.lab.schedule.tasks import block_size_of_cost, block_sizes_of_costs, checked_cost, point_task


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
    assert has_independent_parameters(Plain)
    assert not any(map(has_independent_parameters, (Together, Neighbours, Made, Written, Named)))


@pytest.mark.parametrize("name", catalogue.experiment_names())
def test_shipped_experiments_in_bulk_and_one_by_one(name):
    declaration = load_declaration(name)
    grid = expand_grid(declaration)
    number, cost = price_points(declaration, grid)
    chosen = range(0, len(number), 1 + len(number) // 20)
    found = np.frombuffer(
        b"".join(part.tobytes() for part in iterate_computed_names(declaration, grid, number)), dtype=NAMES
    )
    assert len(found) == len(number)
    for k in chosen:
        parameters = declaration.point(int(number[k]))
        assert (
            found[k].tobytes().hex()
            == point_task(declaration.scenario_object, parameters, declaration.seed).point
        )
        settings = declaration.scenario_object.parameters.model_validate(parameters)
        assert cost[k] == checked_cost(declaration.scenario_object, settings)
    if grid:
        each = list(
            zip(grid.iterate_settings(), grid.iterate_parameters(), declaration.points(), strict=True)
        )
        for settings, written, parameters in each[:: 1 + len(each) // 20]:
            assert settings == declaration.scenario_object.parameters(**parameters)
            assert written == parameters


def test_points_are_counted_alike_in_bulk_and_in_turn():
    declaration = load_declaration("capacity_large")
    assert expand_grid(declaration).inner_axis is not None
    numbers, costs = price_points(declaration, expand_grid(declaration))
    assert [a.tolist() for a in price_points(declaration, None)] == [numbers.tolist(), costs.tolist()]
    assert survey_tasks(declaration, {}).number.tolist() == numbers.tolist()


def test_sizes_of_blocks_one_by_one_and_at_once():
    costs = np.concatenate([np.geomspace(1e-3, 1e17, 5001), np.arange(1, 3000) * 1e6 + 0.1])
    assert block_sizes_of_costs(costs).tolist() == [block_size_of_cost(cost) for cost in costs.tolist()]


def test_a_name_has_ten_bytes_and_odd_values_are_written_as_ever():
    declaration = load_declaration("demo_capacity")
    odd = declaration.model_copy(update={"grid": {"N": [5], "alpha": [1e-300, 1, 5e-324, 1e22, math.pi]}})
    grid = expand_grid(odd)
    data = b"".join(grid.names("storage", 1, odd.seed))
    asked = [point_task(odd.scenario_object, parameters, odd.seed).point for parameters in odd.points()]
    assert [data[k : k + NAME_BYTES].hex() for k in range(0, len(data), NAME_BYTES)] == asked
