"""Entries of the recording loops, one for each modulation."""

from markone.numerics.compiling import entry
from markone.perceptron.recording._loops import on_embeddings, on_weights
from markone.perceptron.students._adaline import adaline
from markone.perceptron.students._adatron import adatron
from markone.perceptron.students._rosenblatt import rosenblatt


@entry
def rosenblatt_w(log, xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state):
    return on_weights(log, xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, rosenblatt)


@entry
def rosenblatt_x(log, C, x, E, eta, c, gamma, still, epochs, order, turn, state):
    return on_embeddings(log, C, x, E, eta, c, gamma, still, epochs, order, turn, state, rosenblatt)


@entry
def adaline_w(log, xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state):
    return on_weights(log, xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, adaline)


@entry
def adatron_w(log, xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state):
    return on_weights(log, xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, adatron)


@entry
def adatron_x(log, C, x, E, eta, c, gamma, still, epochs, order, turn, state):
    return on_embeddings(log, C, x, E, eta, c, gamma, still, epochs, order, turn, state, adatron)
