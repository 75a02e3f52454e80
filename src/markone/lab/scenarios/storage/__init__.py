"""Random labels: how many does a perceptron store?"""
