"""Estimators as keyword-only dataclasses: a parameter is one annotated line, and is documented once.

A subclass of `Parameters` becomes a dataclass: its annotated names are keyword-only parameters of the
constructor, after those of its bases. The type also says which values scikit-learn accepts,
`Annotated[int, COUNT]`; `bool` needs nothing more. Fitted attributes are declared with `field(init=False)`.
Its docstring describes what it adds or changes; the entries of inherited parameters and attributes come from
the bases. Dataclasses of results and settings describe each field in its type, functions the parameters that
they share, see `documented`.
"""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Annotated, Any, ClassVar, TypeVar, dataclass_transform

from markone.base.history import RECORD
from markone.base.sklearn_compat import Interval, StrOptions

COUNT = Interval(Integral, 1, None, closed="left")
POSITIVE = Interval(Real, 0, None, closed="neither")
NOT_NEGATIVE = Interval(Real, 0, None, closed="left")

Count = Annotated[int, COUNT]
Positive = Annotated[float, POSITIVE]
NotNegative = Annotated[float, NOT_NEGATIVE]
ClassWeight = Annotated[Any, dict, StrOptions({"balanced"}), None]
Jobs = Annotated[int | None, Integral, None]
RandomState = Annotated[Any, "random_state"]
Record = Annotated[str | None, StrOptions(set(RECORD)), None]

SECTION = re.compile(r"\n *(Parameters|Attributes)\n *-+\n")
# Sections behind the parameters and attributes.
LATER = re.compile(r"\n+    (?:Returns|See Also|Notes|References|Warnings|Examples)\n    -")
# A line that starts an entry: a name, or several, at the indentation of the section.
ENTRY = re.compile(r"(?m)^    (?=[A-Za-z_])")
# Types whose names say enough in the documentation.
NUMBERS = (bool, int, float)
# Parameters of many functions.
Examples = Annotated[Any, "array (P, N): Examples, one per row."]
Labels = Annotated[Any, "array (P,): Their labels."]
Predictions = Annotated[Any, "array (P,): The predictions."]
Discriminant = Annotated[Any, "array (P,): The discriminant, larger for the positive class."]
PositiveClass = Annotated[Any, "label or None: Positive class; None: the larger label."]
FittedClassifier = Annotated[Any, "fitted classifier: The classifier."]
ClonedEstimator = Annotated[Any, "estimator: A classifier or regressor; it is cloned, not changed."]
Splits = Annotated[Any, "int or splitter: The folds."]
Processes = Annotated[int | None, "int or None: Processes, as in scikit-learn."]
Level = Annotated[float, "Coverage of the intervals."]
Seed = Annotated[Any, "int, Generator or None: Seed of the random numbers."]
RandomSeed = Annotated[Any, "int, RandomState or None: Seed; an int makes the result reproducible."]
Entries = dict[tuple[str, ...], str]


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
class Parameters:
    """Base of estimators whose constructor only stores its keyword arguments."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}
    _written_doc: ClassVar[str] = ""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # A subclass may have a constructor of its own.
        if "__init__" in cls.__dict__:
            return
        dataclass(kw_only=True, eq=False, repr=False)(cls)
        defaults = order_parameters(cls)
        rules = _accepted_values(cls)
        cls._parameter_constraints = {name: rules[name] for name in defaults if name in rules}
        if cls.__doc__ is not None:
            cls._written_doc = cls.__doc__
            cls.__doc__ = _complete_docstring(cls, defaults)


def _accepted_values(cls: Any) -> dict[str, list[Any]]:
    """scikit-learn's constraints of the annotated names; a subclass that changes a default keeps the rule."""
    rules: dict[str, list[Any]] = {}
    for one in reversed(cls.__mro__):
        for name, annotation in inspect.get_annotations(one).items():
            if hasattr(annotation, "__metadata__"):
                rules[name] = list(annotation.__metadata__)
            elif annotation is bool:
                rules.setdefault(name, ["boolean"])
    return rules


def order_parameters(cls: Any) -> dict[str, Any]:
    """Put the parameters of the nearest classes first in the signature; return their defaults."""
    declared = [name for one in cls.__mro__ for name in inspect.get_annotations(one)]
    signature = inspect.signature(cls.__init__)
    first, *names = signature.parameters.values()
    names.sort(key=lambda one: declared.index(one.name))
    cls.__init__.__signature__ = signature.replace(parameters=[first, *names])
    return {one.name: one.default for one in names}


def _complete_docstring(cls: Any, defaults: dict[str, Any]) -> str:
    """Docstring of a class with the entries of all its parameters, their defaults, and its attributes."""
    parts = [_split_sections(one.__dict__.get("_written_doc", "")) for one in cls.__mro__]
    head, _, _, tail = parts[0]
    described = _inherited_entries([part[1] for part in parts])
    attributes = _inherited_entries([part[2] for part in parts])
    order = list(defaults)
    parameters = sorted(
        (entry for entry in described.items() if entry[0][0] in defaults), key=lambda e: order.index(e[0][0])
    )
    texts = [_with_default(text, defaults[names[0]]) for names, text in parameters]
    return _join_sections(head, texts, list(attributes.values()), tail)


def _join_sections(head: str, parameters: list[str], attributes: list[str], tail: str) -> str:
    for title, entries in (("Parameters", parameters), ("Attributes", attributes)):
        if entries:
            head += f"\n\n    {title}\n    {'-' * len(title)}\n" + "".join(entries).rstrip()
    return f"{head}\n\n{tail}" if tail else head


Described = TypeVar("Described", bound=Callable[..., Any])


def documented(described: Described) -> Described:
    """Write the section Parameters of a dataclass or function, from its docstring and the types.

    `p: Annotated[float, "1 or more."] = 2.0` becomes the entry `p : float, default=2.0`; types other than
    numbers and bool are described first: `x: Annotated[Array, "array (n,): Points."]`.
    """
    head, written, attributes, tail = _split_sections(described.__doc__ or "")
    texts, given = [], {names[0]: text for names, text in written.items()}
    for name, parameter in inspect.signature(described).parameters.items():
        annotation: Any = parameter.annotation
        for note in getattr(annotation, "__metadata__", ()):
            kind = annotation.__origin__
            shown, _, text = (kind.__name__, "", note) if kind in NUMBERS else note.partition(": ")
            texts.append(_with_default(f"    {name} : {shown}\n        {text}\n", parameter.default))
        texts += [given[name]] if name in given else []
    described.__doc__ = _join_sections(head, texts, list(attributes.values()), tail)
    return described


def _split_sections(text: str) -> tuple[str, Entries, Entries, str]:
    """Text before the parameters, entries of parameters and of attributes, and what follows them."""
    found: dict[str, Entries] = {"Parameters": {}, "Attributes": {}}
    later = LATER.search(text)
    cut = later.start() if later else len(text)
    body, tail = text[:cut], text[cut:].lstrip("\n")
    pieces = SECTION.split(body)
    for title, section in zip(pieces[1::2], pieces[2::2], strict=True):
        for entry in ENTRY.split(section)[1:]:
            names = tuple(name.strip() for name in entry.split("\n")[0].split(" : ")[0].split(","))
            found[title][names] = f"    {entry.rstrip()}\n"
    return pieces[0].rstrip(), found["Parameters"], found["Attributes"], tail


def _inherited_entries(sections: list[Entries]) -> Entries:
    """Entries of a section of a class and its bases; the nearest class describes a name."""
    entries: Entries = {}
    seen: set[str] = set()
    for section in sections:
        new = {names: text for names, text in section.items() if not seen & set(names)}
        seen.update(name for names in new for name in names)
        entries |= new
    return entries


def _with_default(entry: str, default: Any) -> str:
    """Entry whose first line ends with the default of this class, if it has one."""
    if default is inspect.Parameter.empty:
        return entry
    head, *lines = entry.split("\n")
    shown = f'"{default}"' if isinstance(default, str) else repr(default)
    return "\n".join([f"{re.sub(r', default=.*$', '', head)}, default={shown}", *lines])
