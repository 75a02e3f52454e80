"""Write and read tables; arguments of two commands."""

import csv

FIT_IRIS = ["fit", "iris.csv", "--target", "species", "--model", "soft-margin", "--cv", "2x5"]


FIT_PATIENTS = ["fit", "patients.csv", "--target", "outcome", "--cv", "2x5", "--missing", "median"]
FIT_PATIENTS += ["--model", "soft-margin"]


def write(path, header, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
