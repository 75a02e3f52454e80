"""
Bias and variance in one picture
================================

Three noisy data sets, three degrees: a line misses the curve, degree seven follows the noise.
"""

from markone.evaluation import PolynomialFitsDisplay, polynomial_errors, polynomial_fits

PolynomialFitsDisplay(polynomial_fits(degrees=(1, 3, 7))).plot()

# %%
# The claim: the truth is a cubic, and degree three has the least test error.
errors = polynomial_errors()
assert errors.degrees[errors.test.argmin()] == 3
