"""Entries of the recording loops, one for each modulation."""

from markone.numerics.compiling import entry
from markone.perceptron.recording._loops import on_embeddings_recorded, on_weights_recorded
from markone.perceptron.students._adaline import adaline_change
from markone.perceptron.students._adatron import adatron_change
from markone.perceptron.students._rosenblatt import rosenblatt_change


@entry
def rosenblatt_w_recorded(log, xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state):
    return on_weights_recorded(
        log, xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, rosenblatt_change
    )


@entry
def rosenblatt_x_recorded(log, C, x, E, eta, c, gamma, still, epochs, order, turn, state):
    return on_embeddings_recorded(
        log, C, x, E, eta, c, gamma, still, epochs, order, turn, state, rosenblatt_change
    )


@entry
def adaline_w_recorded(log, xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state):
    return on_weights_recorded(
        log, xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, adaline_change
    )


@entry
def adatron_w_recorded(log, xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state):
    return on_weights_recorded(
        log, xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, adatron_change
    )


@entry
def adatron_x_recorded(log, C, x, E, eta, c, gamma, still, epochs, order, turn, state):
    return on_embeddings_recorded(
        log, C, x, E, eta, c, gamma, still, epochs, order, turn, state, adatron_change
    )
