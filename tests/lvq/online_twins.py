"""Plain twins of the on-line students, as the notes and Kohonen write them: one example, one line a rule."""

import numpy as np

WORD = 2**64


class Lot:
    """SplitMix64 in integers: the next example."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state + 0x9E3779B97F4A7C15) % WORD
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
        return ((z ^ (z >> 31)) >> 32) * n >> 32

    def epoch(self, order, turn):
        if order == "shuffled":
            for i in range(len(turn) - 1, 0, -1):
                j = self.below(i + 1)
                turn[i], turn[j] = turn[j], turn[i]
        return [self.below(len(turn)) if order == "random" else turn[i] for i in range(len(turn))]


def rate(schedule, eta, tau, t):
    return {"constant": eta, "inverse": eta / (1 + t / tau), "exponential": eta * np.exp(-t / tau)}[schedule]


def train(
    rule, X, y, w, c, seed, *, eta, order, epochs, schedule="constant", tau=1.0, window=0.2, epsilon=0.2
):
    """Prototypes w after some epochs, and the wrong winners of each."""
    lot, turn, w = Lot(seed), list(range(len(X))), w.copy()
    own, errors = np.full(len(w), eta), []
    for epoch in range(epochs):
        wrong = 0
        for i, mu in enumerate(lot.epoch(order, turn)):
            x = X[mu]
            d = np.nansum((x - w) ** 2, axis=1)
            a, b = np.argsort(d, kind="stable")[:2]
            psi = np.where(c == y[mu], 1.0, -1.0)
            step = rate(schedule, eta, tau, epoch + i / len(X))
            wrong += psi[a] < 0
            towards = np.where(np.isnan(x), 0.0, x - w)
            near_border = np.sqrt(d[a] / d[b]) > (1 - window) / (1 + window)
            if rule == "lvq1":
                w[a] += psi[a] * step * towards[a]
            elif rule == "olvq1":
                own[a] = min(own[a] / (1 + psi[a] * own[a]), eta)
                w[a] += psi[a] * own[a] * towards[a]
            elif psi[a] != psi[b] and near_border:
                w[a] += psi[a] * step * towards[a]
                w[b] += psi[b] * step * towards[b]
            elif rule == "lvq3" and psi[a] == psi[b] == 1:
                w[a] += epsilon * step * towards[a]
                w[b] += epsilon * step * towards[b]
        errors.append(wrong)
    return w, errors


def train_matrix(X, y, w, c, seed, *, eta, eta_omega, epochs, tau):
    """Matrix LVQ1 in shuffled order with rates falling as 1/(1 + t/tau), without remembered images."""
    N = X.shape[1]
    lot, turn, w, omega = Lot(seed), list(range(len(X))), w.copy(), np.eye(N) / np.sqrt(N)
    for epoch in range(epochs):
        for i, mu in enumerate(lot.epoch("shuffled", turn)):
            V = np.where(np.isnan(X[mu]), 0.0, X[mu] - w)
            a = ((V @ omega.T) ** 2).sum(axis=1).argmin()
            psi, fallen = (1.0 if c[a] == y[mu] else -1.0), 1 / (1 + (epoch + i / len(X)) / tau)
            v, u = V[a], omega @ V[a]
            g = np.where(np.isnan(X[mu]), 0.0, omega.T @ u)
            w[a] += psi * eta * fallen * (g @ g) / ((omega @ g) @ (omega @ g)) * g
            omega = omega - psi * eta_omega * fallen * np.outer(u, v) / (v @ v)
            omega /= np.sqrt((omega**2).sum())
    return w, omega
