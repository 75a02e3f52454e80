"""How many examples alpha stands for."""


def number_of_examples(alpha: float, N: int) -> int:
    """P = alpha N, rounded to the nearest whole number and at least 1."""
    return max(1, round(alpha * N))
