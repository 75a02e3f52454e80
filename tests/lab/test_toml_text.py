"""The declaration as TOML again."""

import tomllib

from generated_points import Declaration, claim, figure

from markone.lab.load import toml_text


def declared(**more):
    return Declaration(
        repeats=60,
        figures=[
            figure(measures=["converged", "separable"]),
            figure("stability", measures=["kappa"], theory=["kappa"]),
        ],
        claims=[
            claim("For P <= N all sets are separable.", where={"alpha_max": 1.0}, every_run={"equals": 1.0}),
            claim("Nothing is ever separable.", below=0.1),
            claim("Certainly.", where={"alpha": 0.5}, above=0.999),
        ],
        **more,
    )


def test_the_declaration_is_toml_again():
    declaration = declared(read_first='Say "no".\nTwice.')
    data = tomllib.loads(toml_text(declaration))
    assert data["grid"] == declaration.grid
    assert data["fixed"] == declaration.fixed
    assert data["read_first"] == declaration.read_first
    assert [c["expect"] for c in data["claim"]] == [c.expect for c in declaration.claims]
    assert [f["measures"] for f in data["figure"]] == [f.measures for f in declaration.figures]
