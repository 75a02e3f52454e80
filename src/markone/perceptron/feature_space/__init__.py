"""Optimal stability in feature space (section 4.3): Mercer kernels and the solver of KernelAdaTron."""

from markone.perceptron.feature_space.mercer import Kernel, make_kernel
from markone.perceptron.feature_space.optimum import FeatureSpaceOptimum, judge
from markone.perceptron.feature_space.solve import maximise

__all__ = ["FeatureSpaceOptimum", "Kernel", "judge", "make_kernel", "maximise"]
