"""The last step of the short way in one call: back to the scales of the caller, and the proof of what is left."""

from markone.numerics.compiling import proof_entry
from markone.perceptron.certificates._figures import figures_of_strengths, figures_of_weights


@proof_entry
def finish(xi, of_examples, of_inputs, scale, w, x, both, out):
    """w and x of the scaled examples become those of the given ones; `out` what bounds are made of.

    of_examples begins with S and a, of_inputs with c and three rows of room; from above only with `both`.
    """
    S, a, c = of_examples[0], of_examples[1], of_inputs[0]
    for j in range(c.shape[0]):
        w[j] *= c[j]
    for mu in range(a.shape[0]):
        x[mu] *= a[mu]
    figures_of_weights(xi, S, scale, w, of_inputs[1], out)
    if both:
        figures_of_strengths(xi, S, scale, x, of_inputs[1:], out)
