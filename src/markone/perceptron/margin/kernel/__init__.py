"""Optimal stability in feature space (section 4.3): Mercer kernels and the solver of KernelAdaTron."""

from markone.perceptron.margin.kernel.mercer import Kernel, make_kernel
from markone.perceptron.margin.kernel.optimum import FeatureSpaceOptimum, evaluate_student
from markone.perceptron.margin.kernel.solve import train_kernel_student

__all__ = ["FeatureSpaceOptimum", "Kernel", "evaluate_student", "make_kernel", "train_kernel_student"]
