# Written by `python -m markone.base.stubs` from HOMES in __init__.py; not by hand.

from markone.lvq.glvq import GLVQ as GLVQ
from markone.lvq.gmlvq import GMLVQ as GMLVQ
from markone.lvq.grlvq import GRLVQ as GRLVQ
from markone.lvq.growing import grown as grown
from markone.lvq.growing import pruned as pruned
from markone.lvq.kernel_glvq import KernelGLVQ as KernelGLVQ
from markone.lvq.lgmlvq import LGMLVQ as LGMLVQ
from markone.lvq.lvq1 import LVQ1 as LVQ1
from markone.lvq.lvq21 import LVQ21 as LVQ21
from markone.lvq.lvq3 import LVQ3 as LVQ3
from markone.lvq.matrix_lvq1 import MatrixLVQ1 as MatrixLVQ1
from markone.lvq.mrslvq import MRSLVQ as MRSLVQ
from markone.lvq.nearest_prototype import NearestPrototype as NearestPrototype
from markone.lvq.olvq1 import OLVQ1 as OLVQ1
from markone.lvq.radius import Robustness as Robustness
from markone.lvq.radius import robustness as robustness
from markone.lvq.reject import Rejecting as Rejecting
from markone.lvq.reject import accuracy_reject_curve as accuracy_reject_curve
from markone.lvq.reject import certainty as certainty
from markone.lvq.relational_glvq import RelationalGLVQ as RelationalGLVQ
from markone.lvq.relevance import RelevanceIntervals as RelevanceIntervals
from markone.lvq.relevance import relevance_intervals as relevance_intervals
from markone.lvq.rslvq import RSLVQ as RSLVQ
from markone.lvq.scorer import LinearScorer as LinearScorer
from markone.lvq.scorer import linear_scorer as linear_scorer
from markone.lvq.units import OriginalUnits as OriginalUnits
from markone.lvq.units import in_original_units as in_original_units

HOMES: dict[str, str]
__all__: list[str]
