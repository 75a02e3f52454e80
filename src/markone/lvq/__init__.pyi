# Written by `python -m markone.base.stubs` from HOMES in __init__.py; not by hand.

from markone.lvq.inspect.borders import Robustness as Robustness
from markone.lvq.inspect.borders import robustness as robustness
from markone.lvq.inspect.prototype_number import grow_prototypes as grow_prototypes
from markone.lvq.inspect.prototype_number import prune_prototypes as prune_prototypes
from markone.lvq.inspect.rejection import Rejecting as Rejecting
from markone.lvq.inspect.rejection import accuracy_reject_curve as accuracy_reject_curve
from markone.lvq.inspect.rejection import certainty as certainty
from markone.lvq.inspect.relevance import RelevanceIntervals as RelevanceIntervals
from markone.lvq.inspect.relevance import relevance_intervals as relevance_intervals
from markone.lvq.inspect.relevance import relevance_p_values as relevance_p_values
from markone.lvq.inspect.units import LinearScorer as LinearScorer
from markone.lvq.inspect.units import OriginalUnits as OriginalUnits
from markone.lvq.inspect.units import in_original_units as in_original_units
from markone.lvq.inspect.units import linear_scorer as linear_scorer
from markone.lvq.models.glvq import GLVQ as GLVQ
from markone.lvq.models.glvq import GMLVQ as GMLVQ
from markone.lvq.models.glvq import GRLVQ as GRLVQ
from markone.lvq.models.glvq import LGMLVQ as LGMLVQ
from markone.lvq.models.kernel_glvq import KernelGLVQ as KernelGLVQ
from markone.lvq.models.lvq1 import LVQ1 as LVQ1
from markone.lvq.models.lvq1 import LVQ21 as LVQ21
from markone.lvq.models.lvq1 import LVQ3 as LVQ3
from markone.lvq.models.lvq1 import MatrixLVQ1 as MatrixLVQ1
from markone.lvq.models.lvq1 import OLVQ1 as OLVQ1
from markone.lvq.models.nearest_neighbours import NearestNeighbours as NearestNeighbours
from markone.lvq.models.nearest_neighbours import NearestPrototype as NearestPrototype
from markone.lvq.models.nearest_neighbours import condensed_subset as condensed_subset
from markone.lvq.models.relational_glvq import RelationalGLVQ as RelationalGLVQ
from markone.lvq.models.rslvq import LMRSLVQ as LMRSLVQ
from markone.lvq.models.rslvq import MRSLVQ as MRSLVQ
from markone.lvq.models.rslvq import RSLVQ as RSLVQ

HOMES: dict[str, str]
__all__: list[str]
