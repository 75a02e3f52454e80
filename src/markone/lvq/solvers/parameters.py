"""All trained parameters in one flat buffer with views for the prototypes, Omega and ln sigma^2."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod

import numpy as np

from markone.numerics.arrays import Array


@dataclass
class FlatParameters:
    """`theta["W"]`, `theta["Omega"]`, `theta["log_sigma2"]` are views of `theta.flat`."""

    flat: Array
    shapes: dict[str, tuple[int, ...]]
    places: dict[str, slice] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not self.places:
            start = 0
            for name, shape in self.shapes.items():
                self.places[name] = slice(start, start + prod(shape))
                start += prod(shape)
        self._views = {name: self.flat[at].reshape(self.shapes[name]) for name, at in self.places.items()}

    @classmethod
    def of(cls, arrays: Mapping[str, Array]) -> "FlatParameters":
        """New buffer with the values of these arrays."""
        flat = np.concatenate([np.ravel(array) for array in arrays.values()])
        return cls(flat, {name: np.shape(array) for name, array in arrays.items()})

    def with_buffer(self, flat: Array) -> "FlatParameters":
        """The same views of another buffer."""
        return FlatParameters(flat, self.shapes, self.places)

    def copy(self) -> "FlatParameters":
        return self.with_buffer(self.flat.copy())

    def __getitem__(self, name: str) -> Array:
        return self._views[name]

    def __contains__(self, name: str) -> bool:
        return name in self._views
