"""The line search of the proximal Newton step, on all examples at once."""

from markone.numerics.compiling import entry, part


@part
def _projected_sum(u, change, gamma, t):
    """sum x(t) change, with x(t) = clip(u - t change, 0, gamma)."""
    total = 0.0
    for mu in range(u.shape[0]):
        total += min(max(u[mu] - t * change[mu], 0.0), gamma[mu]) * change[mu]
    return total


@entry
def step_length(u, change, gamma, sigma, linear, quadratic):
    """t in (0, 1] with a slope of at most a tenth of the slope at t = 0 (regula falsi, safeguarded).

    Zero if rounding has left no direction of descent.
    u = x + sigma (1 - E), change = sigma dE; linear = N w.dw, quadratic = N dw.dw.
    """
    first = linear - _projected_sum(u, change, gamma, 0.0) / sigma
    if first >= 0.0:
        return 0.0
    last = linear + quadratic - _projected_sum(u, change, gamma, 1.0) / sigma
    if last <= -0.1 * first:
        return 1.0
    low, high, at_low, at_high = 0.0, 1.0, first, last
    t = 1.0
    for _ in range(40):
        t = low - (high - low) * at_low / (at_high - at_low)
        margin = 0.05 * (high - low)
        t = min(max(t, low + margin), high - margin)
        slope = linear + quadratic * t - _projected_sum(u, change, gamma, t) / sigma
        if abs(slope) <= -0.1 * first:
            break
        if slope < 0.0:
            low, at_low = t, slope
        else:
            high, at_high = t, slope
    return t
