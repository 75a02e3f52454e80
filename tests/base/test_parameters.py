"""Parameters as dataclass fields: constructor, order, inherited documentation and constraints."""

import inspect
from dataclasses import field
from typing import Annotated, Any

import pytest
from sklearn.base import BaseEstimator, clone

from markone.base.parameters import Parameters


class Base(Parameters, BaseEstimator):
    """A base.

    Parameters
    ----------
    eta : float
        The rate.
    order : {"cyclic", "random"}
        The order.

    Attributes
    ----------
    coef_ : array
        The weights.
    """

    eta: Annotated[float, "a"] = 1.0
    order: Annotated[str, "b"] = "cyclic"
    coef_: Any = field(init=False)


class Leaf(Base):
    """A leaf.

    With more text.

    Parameters
    ----------
    tol : float
        The tolerance,
        in two lines.

    Attributes
    ----------
    n_iter_ : int
        The steps.

    Examples
    --------
    >>> 1
    1
    """

    tol: Annotated[float, "c"] = 1e-3
    eta: Annotated[float, "d"] = 0.5


def test_the_constructor_stores_keywords_and_sets_nothing_else():
    leaf = Leaf(tol=2.0)
    assert leaf.get_params() == {"eta": 0.5, "order": "cyclic", "tol": 2.0}
    assert vars(leaf) == leaf.get_params()
    assert clone(leaf).set_params(order="random").get_params() == {"eta": 0.5, "order": "random", "tol": 2.0}
    with pytest.raises(TypeError):
        Leaf(2.0)
    with pytest.raises(TypeError):
        Leaf(coef_=1)


def test_own_parameters_come_first_and_constraints_are_merged():
    assert list(inspect.signature(Leaf).parameters) == ["tol", "eta", "order"]
    assert Leaf._parameter_constraints == {"eta": ["d"], "order": ["b"], "tol": ["c"]}
    assert Base._parameter_constraints == {"eta": ["a"], "order": ["b"]}


def test_another_default_keeps_the_accepted_values_and_bool_needs_none():
    class Other(Leaf):
        eta: float = 2.0
        trace: bool = False

    class Free(Other):
        trace: Annotated[Any, "boolean", None] = None

    class Back(Free):
        trace: bool = True

    assert Other._parameter_constraints["eta"] == ["d"]
    assert Other._parameter_constraints["trace"] == ["boolean"]
    assert Back._parameter_constraints["trace"] == ["boolean", None]


def test_the_docstring_describes_inherited_names_with_the_defaults_of_the_class():
    assert inspect.getdoc(Leaf) == inspect.cleandoc("""A leaf.

        With more text.

        Parameters
        ----------
        tol : float, default=0.001
            The tolerance,
            in two lines.
        eta : float, default=0.5
            The rate.
        order : {"cyclic", "random"}, default="cyclic"
            The order.

        Attributes
        ----------
        n_iter_ : int
            The steps.
        coef_ : array
            The weights.

        Examples
        --------
        >>> 1
        1
        """)


def test_a_subclass_may_have_its_own_constructor():
    class Own(Base):
        def __init__(self, *, rate=2.0):
            self.rate = rate

    assert Own().get_params() == {"rate": 2.0}
