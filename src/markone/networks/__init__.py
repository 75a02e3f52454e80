"""From neurons to networks (chapter 1): spikes, activations, Hebb's law, and small feed-forward nets."""

from markone import lazy_import

HOMES = {
    "Conditioning": "markone.networks.hebbian",
    "FeedForwardClassifier": "markone.networks.feed_forward",
    "FeedForwardRegressor": "markone.networks.feed_forward",
    "IntegrateAndFire": "markone.networks.neuron",
    "LinearUnit": "markone.networks.linear_unit",
    "Response": "markone.networks.activations",
    "Spikes": "markone.networks.neuron",
    "conditioning": "markone.networks.hebbian",
    "firing_rate": "markone.networks.neuron",
    "grow": "markone.networks.hebbian",
    "mcculloch_pitts": "markone.networks.activations",
    "respond": "markone.networks.activations",
    "sigmoid": "markone.networks.activations",
    "symmetric": "markone.networks.activations",
}

__all__ = list(HOMES)
__getattr__, __dir__ = lazy_import.lazy_names(__name__, HOMES)
