"""Glossary: `[margin]` in a sentence shows its definition on hover."""

GLOSSARY = {
    "student": "A perceptron that learns: it answers sign(w·ξ − θ).",
    "teacher": "A perceptron with fixed weights w* whose answers are the labels.",
    "stability": (
        "κ = min E/|w|: how far the nearest example is from being answered wrongly. Negative where one is."
    ),
    "potential": "E = w·ξ S: positive if the example is answered rightly, the larger the safer.",
    "embedding strength": (
        "x: how often, or how strongly, an example was learned. w is the sum of x S ξ over N."
    ),
    "support vectors": "The examples with x > 0: the student would be the same without all the others.",
    "clipped": "A support vector whose strength has reached the limit γ: it may be answered wrongly.",
    "margin": "The band round the boundary that holds no example of a student without errors.",
    "rejection": "No answer where the model is not sure enough.",
    "separable": "Some line answers all examples rightly. Decided with a proof either way.",
    "proof": (
        "Separable: weights with all E > 0. Not: strengths x ≥ 0 with Σ x S ξ = 0, so that not all E can "
        "be positive."
    ),
    "epoch": "P presentations: as many as there are examples.",
    "presentation": "One example is shown; the student may or may not change.",
    "threshold": "θ, the weight of an input that is always 1 (3.4). It counts into |w|.",
    "certificate": "Bounds that hold without trusting the algorithm: κ(w) ≤ κ_max ≤ |Σ x S ξ| / Σ x.",
    "kernel": "K(ξ, ξ'): a scalar product in a space of many more features.",
    "prototypes": "Typical points; an input gets the class of the nearest one.",
    "relevance": "Diagonal of Λ: how much a feature counts in the distance.",
    "generalization error": "ε_g: how often student and teacher disagree on a fresh input, arccos(R)/π.",
    "overlap": (
        "R: cosine of the angle between student and teacher. In a memory m: agreement of state and pattern."
    ),
    "load": "α = P/N: examples, or patterns, per input.",
    "capacity": "α_c: the largest load that can still be stored.",
    "version space": "All students that answer every example so far rightly.",
    "informative": "Either label is possible: the new example cuts version space in two.",
    "Gibbs student": "One student drawn at random from version space.",
    "Bayes": "The majority of all students in version space: no answer is better on average.",
    "sweep": "All examples once, or all neurons once.",
    "flow": "For N → ∞ the on-line student follows a differential equation in R and Q.",
    "modulation": "f(E): how strongly an example is learned, given its potential.",
    "drift": "The teacher itself turns a little with every example.",
    "energy": "H = −Σ w S S over pairs: never rises at T = 0 with symmetric couplings.",
    "couplings": "w_ij: how neuron j acts on neuron i.",
    "temperature": "Noise of the dynamics: at T = 0 each neuron follows its field.",
    "confusion matrix": "How often each class was answered as each class.",
    "ROC": "True positive rate against false positive rate as the threshold moves.",
    "AUC": "Area under the ROC: how often a positive example scores above a negative one.",
    "bias": "How far the average fit is from the truth.",
    "variance": "How much fits to different data sets differ.",
    "folds": "Parts of the data, each left out once as a test.",
    "counterfactual": "The nearest input that would get another answer.",
}
