"""Optimal stability in feature space (section 4.3): Mercer kernels and the solver of KernelAdaTron."""

from markone.perceptron.feature_space.mercer import Kernel, make_kernel
from markone.perceptron.feature_space.optimum import FeatureSpaceOptimum, evaluate_student
from markone.perceptron.feature_space.solve import solve_kernel_problem

__all__ = ["FeatureSpaceOptimum", "Kernel", "evaluate_student", "make_kernel", "solve_kernel_problem"]
