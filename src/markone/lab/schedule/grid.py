"""Points of a grid in bulk, and points with identical results.

Each value of an axis is validated once, instead of each point. This is correct if the scenario validates each
parameter independently: cost and names of a million points then take seconds, without an object for each.
Otherwise `expand_grid` returns None.

P = round(alpha N) is a whole number, so that in fine steps of alpha many points have the same data and the
same results, bit for bit. The scenario's `depends_on` returns what the results depend on; of equal points
the first in the grid is computed, under its own name, and the others report its results.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from inspect import Parameter, signature
from itertools import product
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, PlainSerializer, ValidationError, WrapSerializer

from markone.lab.schema import Declaration
from markone.numerics.arrays import release_freed_memory

# Bytes of a point's name; twice as many hex digits.
NAME_BYTES = 10
# Names computed at a time.
CHUNK = 65_536
encode_json = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
MISSING = object()


@dataclass(frozen=True)
class Expansion:
    """`fields`: validated parameters of the first point; `axes`: validated values of each grid key."""

    model: type[BaseModel]
    fields: dict[str, Any]
    axes: dict[str, list[Any]]

    @cached_property
    def field_names(self) -> set[str]:
        return set(self.fields)

    def construct_model(self, fields: dict[str, Any]) -> BaseModel:
        """Construct a pydantic model from values that are validated already."""
        model = self.model.__new__(self.model)
        assign = object.__setattr__
        assign(model, "__dict__", fields)
        assign(model, "__pydantic_fields_set__", self.field_names)
        assign(model, "__pydantic_extra__", None)
        assign(model, "__pydantic_private__", None)
        return model

    def iterate_settings(self, bulk: bool = False) -> Iterator[BaseModel]:
        """Models of all points, first key slowest; with `bulk` one model for all points of the last axis."""
        made = self.construct_model
        *outer, inner = self.axes
        last = [self.inner_axis] if bulk else self.axes[inner]
        for row in product(*(self.axes[key] for key in outer)):
            fields = {**self.fields, **dict(zip(outer, row, strict=True))}
            for value in last:
                yield made({**fields, inner: value})

    def iterate_parameters(self, bulk: bool = False) -> Iterator[dict[str, Any]]:
        """The same as dictionaries of JSON values, as in a task."""
        fields = dict(self._json_fields)
        *outer, inner = self.axes
        last = [self.inner_axis] if bulk else self.json_axes[inner]
        for row in product(*(self.json_axes[key] for key in outer)):
            fields |= dict(zip(outer, row, strict=True))
            for value in last:
                yield {**fields, inner: value}

    @cached_property
    def _json_fields(self) -> dict[str, Any]:
        return {key: self._dump_value(key, value) for key, value in self.fields.items()}

    @cached_property
    def json_axes(self) -> dict[str, list[Any]]:
        return {key: [self._dump_value(key, value) for value in values] for key, values in self.axes.items()}

    def parameters(self, k: int) -> dict[str, Any]:
        """Those of the k-th point."""
        row = dict(self._json_fields)
        for key in reversed(self.axes):
            k, place = divmod(k, len(self.axes[key]))
            row[key] = self.json_axes[key][place]
        return row

    @cached_property
    def inner_axis(self) -> NDArray[Any] | None:
        """The last axis as an array if it is numeric, else None."""
        values = list(self.axes.values())[-1]
        kinds = set(map(type, values))
        return np.array(values) if kinds in ({int}, {float}) else None

    def names(self, scenario: str, version: int, seed: int) -> Iterator[bytes]:
        """Concatenated names of all points, in batches: the hash of `Task.point`, from text pieces."""
        pieces = {key: encode_json(value) for key, value in self._json_fields.items()}
        ends = {key: list(map(encode_json, values)) for key, values in self.json_axes.items()}
        *outer, inner = self.axes
        before, after = ([k for k in sorted(pieces) if (k < inner) == side] for side in (True, False))
        head, tail = f"[{encode_json(scenario)},{version},{{", f"}},{seed}]"
        last, found = [value.encode() for value in ends.pop(inner)], bytearray()
        for row in product(*(ends[key] for key in outer)):
            pieces |= dict(zip(outer, row, strict=True))
            left = (
                head
                + "".join(f"{encode_json(key)}:{pieces[key]}," for key in before)
                + f"{encode_json(inner)}:"
            )
            right = "".join(f",{encode_json(key)}:{pieces[key]}" for key in after if key != inner) + tail
            start, stop = left.encode(), right.encode()
            for k in range(0, len(last), CHUNK):
                part = last[k : k + CHUNK]
                found += b"".join([sha256(start + value + stop).digest()[:NAME_BYTES] for value in part])
                if len(found) >= CHUNK * NAME_BYTES:
                    yield bytes(found)
                    found.clear()
        yield bytes(found)

    def _dump_value(self, key: str, value: Any) -> Any:
        if type(value) in (str, bool, int) or (type(value) is float and isfinite(value)):
            return value
        dumped: Any = self.model.__pydantic_serializer__.to_python(
            self.construct_model({**self.fields, key: value}), mode="json"
        )
        return dumped[key]


def expand_grid(declaration: Declaration) -> Expansion | None:
    """Validate each axis value once; None if parameters depend on each other or are invalid."""
    model = declaration.scenario_object.parameters
    if not declaration.grid or not has_independent_parameters(model):
        return None
    first = {key: values[0] for key, values in declaration.grid.items()} | declaration.fixed
    try:
        fields = model.model_validate(first).__dict__
        axes = {
            key: [model.model_validate(first | {key: value}).__dict__[key] for value in values]
            for key, values in declaration.grid.items()
        }
    except ValidationError:
        return None
    # In the order of `fill_defaults`.
    ordered = {key: fields[key] for key in [*first, *(key for key in fields if key not in first)]}
    return Expansion(model, ordered, axes)


def has_independent_parameters(model: type[BaseModel]) -> bool:
    """True if no validator or serializer of the model can see two parameters."""
    own = model.__pydantic_decorators__
    whole = (own.model_validators, own.root_validators, own.model_serializers, own.computed_fields)
    if any(whole) or own.field_serializers or own.validators or model.__pydantic_post_init__:
        return False
    if model.__private_attributes__ or model.__init__ is not BaseModel.__init__:
        return False
    checks = [found.func for found in own.field_validators.values()]
    for name, field in model.model_fields.items():
        if field.default_factory is not None or (field.alias or name) != name or field.validation_alias:
            return False
        if any(isinstance(rule, PlainSerializer | WrapSerializer) for rule in field.metadata):
            return False
        checks += [rule.func for rule in field.metadata if hasattr(rule, "func")]
    return all(_takes_value_only(check) for check in checks)


def _takes_value_only(check: Any) -> bool:
    """True if the validator takes the value only."""
    try:
        arguments: Mapping[str, Parameter] = signature(check).parameters
    except (TypeError, ValueError):
        return False
    needed = [p for p in arguments.values() if p.default is Parameter.empty]
    return len(needed) == 1 and needed[0].kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def first_equal_points(declaration: Declaration, grid: Expansion | None = None) -> NDArray[np.int32] | None:
    """Index of the first equal point for each point; None if the scenario has no `depends_on`.

    `grid` is the expansion of the declaration, if it is known already.
    """
    scenario = declaration.scenario_object
    if scenario.depends_on is None:
        return None
    grid = grid or expand_grid(declaration)
    bulk = grid is not None and scenario.in_bulk and grid.inner_axis is not None
    points = grid.iterate_parameters(bulk) if grid else declaration.iterate_points()
    columns: dict[str, list[Any]] = {}
    rows = 0
    for rows, deciding in enumerate(map(scenario.depends_on, points), 1):
        for key in deciding.keys() - columns.keys():
            columns[key] = [MISSING] * (rows - 1)
        for key, column in columns.items():
            column.append(deciding.get(key, MISSING))
    together = np.zeros(len(declaration), dtype=np.int32)
    while columns:
        codes = _value_codes(columns.popitem()[1], len(declaration) // rows)
        if most := int(codes.max()):  # one value for all separates none
            codes = together * np.int64(most + 1) + codes
            del together
            together = _number_groups(codes)[0]
        del codes
    group, first = _number_groups(together)
    return first[group]


def _number_groups(values: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The number of each value among the sorted different values, and the first index of each of these: as
    `np.unique`, in a third of the memory."""
    order = np.argsort(values, kind="stable").astype(np.int32)
    new = np.ones(len(values), dtype=bool)
    for k in range(1, len(values), CHUNK):  # the values in order, in parts
        part = values[order[k - 1 : k + CHUNK]]
        new[k : k + CHUNK] = part[1:] != part[:-1]
    group = np.empty(len(values), dtype=np.int32)
    group[order] = np.cumsum(new, dtype=np.int32) - 1
    return group, order[new]


def _value_codes(column: list[Any], inner: int) -> NDArray[np.integer[Any]]:
    """Integer codes, equal where value and type are, of values that stand for `inner` points each, or are
    arrays of so many."""
    if any(isinstance(value, np.ndarray) for value in column):
        values = np.concatenate([np.broadcast_to(value, inner) for value in column])
        del column  # as large as the values
        release_freed_memory()
        return _number_groups(values)[0]
    known: dict[str, int] = {}
    codes = [known.setdefault(repr(value), len(known)) for value in column]
    return np.repeat(np.array(codes, dtype=np.int32), inner)
