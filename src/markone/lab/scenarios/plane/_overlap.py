"""LMS on rows (-1, x1, x2), with the weights after each step of the last pass."""

from markone.numerics.compiling import entry


@entry
def learn_lms(X, S, eta, falling, passes, w, last):
    """Update w in place and fill `last` (P, 3). falling: rate eta/(1 + n/10) in pass n instead of eta."""
    for n in range(passes):
        rate = eta / (1.0 + n / 10.0) if falling else eta
        for mu in range(X.shape[0]):
            y = X[mu, 0] * w[0] + X[mu, 1] * w[1] + X[mu, 2] * w[2]
            step = rate * (S[mu] - y)
            for j in range(3):
                w[j] += step * X[mu, j]
                last[mu, j] = w[j]
