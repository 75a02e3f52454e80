"""`markone fit` on messy tables: notes, findings and error messages."""

import csv

import numpy as np
import pytest

from markone.cli.main import run_command_line

P = 60
RNG = np.random.default_rng(3)
Y = ["a", "b"] * (P // 2)
X = [f"{v:.4f}" for v in RNG.normal(size=P) + 1.2 * (np.array(Y) == "b")]
Z = [f"{v:.4f}" for v in RNG.normal(size=P)]


def table(separator=",", **columns):
    rows = zip(*columns.values(), strict=True)
    return "\n".join(separator.join(row) for row in [list(columns), *rows]) + "\n"


PLAIN = table(x=X, z=Z, y=Y)
COMMAS = [v.replace(".", ",") for v in X]
ANSWERED = {
    "byte order mark": (PLAIN.encode("utf-8-sig"), "2 columns of numbers: x, z"),
    "utf-16": (PLAIN.encode("utf-16"), "2 columns of numbers: x, z"),
    "semicolons and decimal commas": (table(";", x=COMMAS, y=Y).encode(), "a decimal comma"),
    "tabs": (table("\t", x=X, y=Y).encode(), "separated by tabs"),
    "latin-1": (table(x=X, y=["größe" if v == "a" else "klein" for v in Y]).encode("latin-1"), "größe 30"),
    "quoted newlines": (
        table(x=X, note=[f'"one\ntwo {k % 3}"' for k in range(P)], y=Y).encode(),
        "became 3 0/1 inputs",
    ),
    "a name twice": (
        b"x,x,y\n" + "\n".join(map(",".join, zip(X, Z, Y, strict=True))).encode(),
        "'x' stands twice in the header",
    ),
    "an empty column": (table(x=X, gap=[""] * P, y=Y).encode(), "column 'gap', because it is empty"),
    "trailing separators": (
        b"x,y,\n" + "\n".join(f"{a},{b}," for a, b in zip(X, Y, strict=True)).encode(),
        "Column 3 has no name",
    ),
    "an index column": (
        b",x,y\n" + "\n".join(f"{k},{a},{b}" for k, (a, b) in enumerate(zip(X, Y, strict=True))).encode(),
        "counts the rows from 0 to 59",
    ),
    "classes as numbers": (
        table(x=X, y=["1" if v == "a" else "0" for v in Y]).encode(),
        "2 classes, rows of each: 1 30, 0 30",
    ),
    "truth in other words": (
        table(x=X, code=["17" if v == "a" else "23" for v in Y], y=Y).encode(),
        "'code' is the target 'y' in other words",
    ),
    "three ways to write a date": (
        table(
            d=[f"2024-03-{k % 28 + 1:02d}" for k in range(P)],
            e=[f"{k % 28 + 1}.3.2024" for k in range(P)],
            f=[f"3/{k % 28 + 1}/24" for k in range(P)],
            x=X,
            y=Y,
        ).encode(),
        "'f' holds dates, as days since 1970",
    ),
    "months or days": (
        table(d=[f"{k % 9 + 1}/3/2024" for k in range(P)], x=X, y=Y).encode(),
        "it holds dates of no single, unambiguous form ('1/3/2024'): write them as 2024-03-31",
    ),
    "dates with names and slashes": (
        table(
            d=[f"2024/03/{k % 28 + 1:02d}" for k in range(P)],
            e=[f"{k % 28 + 1} Mar 2024 10:{k % 60:02d}" for k in range(P)],
            x=X,
            y=Y,
        ).encode(),
        "'d' holds dates, as days since 1970.\n- Column 'e' holds dates, as days since 1970.",
    ),
    "below the limit of detection": (
        table(x=["<0.1", "< 0.2", *X[2:]], y=Y).encode(),
        "'x' holds numbers; a limit, as <0.1, is read as the number 0.1.",
    ),
    "two words among numbers": (
        table(x=["-", "unknown", "-", *X[3:]], y=Y).encode(),
        "'-', 'unknown' are missing values",
    ),
    "no target in one row": (table(x=X, y=["", *Y[1:]]).encode(), "'y' is missing in 1 row"),
    "euros": (table(pay=[f"€ {v}" for v in X], x=X, y=Y).encode(), "with the unit '€'"),
    "shares": (table(share=[f"{v}%" for v in X], x=X, y=Y).encode(), "with the unit '%'"),
    "squares": (table(w=[f"{v} m2" for v in X], x=X, y=Y).encode(), "with the unit 'm2'"),
    "weights": (table(w=[f"{v} kg" for v in X], x=X, y=Y).encode(), "with the unit 'kg'"),
    "thousands": (
        table(pay=[f'"{1000 + 137 * k:,}"' for k in range(P)], x=X, y=Y).encode(),
        "',' between thousands",
    ),
    "one word among numbers": (table(x=["n/k", *X[1:]], y=Y).encode(), "'n/k' is a missing value"),
    "none is a word": (
        table(c=["none", "small", "big"] * (P // 3), x=X, y=Y).encode(),
        "3 0/1 inputs: big, none, small",
    ),
    "texts of many values": (
        table(c=[f"town {k % 25}" for k in range(P)], x=X, y=Y).encode(),
        "'c' of 25 values became the mean of the target",
    ),
    "a class of few rows": (
        table(x=X, z=Z, y=["c", "c", "c", *Y[3:]]).encode(),
        "3 classes, rows of each",
    ),
    "identifiers": (table(id=[f"PAT{k:04d}" for k in range(P)], x=X, y=Y).encode(), "looks like a name"),
    "leading zeros": (
        table(zip=[f"{k * 37 % 1000:05d}" for k in range(P)], x=X, y=Y).encode(),
        "leading zeros, like codes, but treated as numbers: zip",
    ),
    "a code for missing": (
        table(x=["-999" if k % 7 == 0 else v for k, v in enumerate(X)], y=Y).encode(),
        "'x' is -999 in 9 rows",
    ),
    "a slip of the decimal point": (table(x=["1e9", *X[1:]], z=Z, y=Y).encode(), "1e+09 in row 1"),
    "copies": (
        table(x=X[:20] * 3, z=Z[:20] * 3, y=Y[:20] * 3).encode(),
        "Inputs of another row repeated: 40 rows",
    ),
    "names of all kinds": (
        table(x=X, z=Z, y=['"🙂 =1+1"' if v == "a" else '"<b>$\\alpha$</b>"' for v in Y]).encode(),
        "<b>$\\alpha$</b> 30",
    ),
}
REFUSED = {
    "nothing": (b"", "is empty"),
    "a header alone": (b"x,y\n", "has a header but no rows"),
    "two rows": (b"x,y\n1,a\n2,b\n", "Class 'a' has one row"),
    "one class": (table(x=X, y=["a"] * P).encode(), "only one class, 'a'"),
    "a thousand classes": (
        table(x=[str(k * 7 % 2003) for k in range(2000)], y=[f"c{k // 2}" for k in range(2000)]).encode(),
        "these are not classes",
    ),
    "no target in some rows": (table(x=X, y=["", *Y[1:]]).encode(), "'y' is missing in 1 row"),
    "money": (table(pay=[f"€ {v}" for v in X], x=X, y=Y).encode(), "with the unit '€'"),
    "per cent": (table(share=[f"{v}%" for v in X], x=X, y=Y).encode(), "with the unit '%'"),
    "kilograms": (table(w=[f"{v} kg" for v in X], x=X, y=Y).encode(), "with the unit 'kg'"),
    "thousands": (
        table(pay=[f'"{1000 + 137 * k:,}"' for k in range(P)], x=X, y=Y).encode(),
        "with a thousands separator",
    ),
    "a word among numbers": (table(x=["n/k", *X[1:]], y=Y).encode(), "row 1 has 'n/k'"),
    "infinity": (table(x=["inf", *X[1:]], y=Y).encode(), "row 1 has 'inf'"),
    "1e308": (table(x=["1e308", *X[1:]], z=Z, y=Y).encode(), "1e+308 is so far from the others"),
    "a short row": (b"x,z,y\n1,2,a\n3,4\n5,6,b\n", "Row 2 of t.csv has 2 cells, but the header has 3"),
    "an open quote": (b'x,y\n"1,a\n2,b\n', "is a quote not closed"),
    "comments": (b"# by instrument 7\n" + PLAIN.encode(), "if it is a comment, remove it"),
    "Excel's own line": (b"sep=;\n" + table(";", x=COMMAS, y=Y).encode(), "'sep=;', which Excel writes"),
    "JSON": (b'[{"x": 1, "y": "a"}]\n', "looks like JSON"),
    "a web page": (b"<!DOCTYPE html><html></html>\n", "is a web page"),
    "a spreadsheet": (b"PK\x03\x04" + bytes(100), "looks like a spreadsheet"),
    "zeros in the text": (PLAIN.encode()[:200] + b"\0\0" + PLAIN.encode()[200:], "is not a table of text"),
}


def run(tmp_path, capsys, content, *more):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    code = run_command_line(["fit", str(path), "--target", "y", "--model", "hebb", "--cv", "1x2", *more])
    return code, capsys.readouterr()


@pytest.mark.parametrize("kind", ANSWERED)
def test_it_is_answered_and_what_is_strange_is_said(tmp_path, capsys, kind):
    content, sentence = ANSWERED[kind]
    code, told = run(tmp_path, capsys, content)
    assert code == 0, told.err
    assert sentence in told.out


@pytest.mark.parametrize("kind", REFUSED)
def test_it_is_refused_with_what_to_do(tmp_path, capsys, kind):
    content, sentence = REFUSED[kind]
    code, told = run(tmp_path, capsys, content, "--strict")
    assert code == 2
    assert sentence in told.err
    assert "Of rows it has not seen" not in told.out


def test_codes_taken_as_categories_or_left_out_are_no_matter(tmp_path, capsys):
    for word in ("--categorical", "--drop"):
        codes = [f"{k % 5:03d}" for k in range(P)]
        code, told = run(tmp_path, capsys, table(zip=codes, x=X, y=Y).encode(), word, "zip")
        assert code == 0
        assert "leading zeros" not in told.out


def test_two_rows_that_coincide_by_chance_need_no_word(tmp_path, capsys):
    x = [f"{k}" for k in RNG.permutation(P - 1)]
    code, told = run(tmp_path, capsys, table(x=[*x, x[0]], y=Y).encode())
    assert code == 0
    assert "different rows" not in told.out


def test_letters_that_no_font_has_are_no_warning(tmp_path, capsys, recwarn):
    page = tmp_path / "page.html"
    content, _ = ANSWERED["names of all kinds"]
    code, _ = run(tmp_path, capsys, content, "--report", str(page))
    assert code == 0
    text = page.read_text(encoding="utf-8")
    assert "🙂" in text
    assert "<b>$" not in text
    assert not [w for w in recwarn if "Glyph" in str(w.message)]


def test_a_saved_model_reads_new_rows_as_the_training_rows(tmp_path, capsys):
    """Dates, units, gaps, unknown towns: every new row is answered, what is new is remarked."""
    towns = [f"town {k % 25}" for k in range(P)]
    days = [f"2024-03-{k % 28 + 1:02d}" for k in range(P)]
    pay = [f'"${1000 + 137 * k:,}"' for k in range(P)]
    model, new, out = (tmp_path / name for name in ("m.skops", "new.csv", "p.csv"))
    content = table(town=towns, day=days, pay=pay, x=["none", *X[1:]], y=Y).encode()
    code, told = run(tmp_path, capsys, content, "--missing-words", "none", "--save", str(model))
    assert code == 0, told.err
    new.write_text('town,day,pay,x\nParis,2024-03-05,$900,0.5\n,,,none\ntown 1,2024-03-07,"$1,100",0.1\n')
    assert run_command_line(["predict", str(model), str(new), "--out", str(out)]) == 0, (
        capsys.readouterr().err
    )
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert all(row["label"] in ("a", "b") for row in rows)
    assert [row["remark"] for row in rows] == ["outside: town 'Paris' was not seen in training", "", ""]


def test_fewer_folds_are_made_for_a_rare_class(tmp_path, capsys):
    content = table(x=X, z=Z, y=["c", "c", "c", *Y[3:]]).encode()
    code, told = run(tmp_path, capsys, content, "--cv", "1x5")
    assert code == 0, told.err
    assert "3 folds instead of 5: there are 3 different rows of class 'c'" in told.out
    assert "1 x 3 folds" in told.out


@pytest.mark.parametrize("form", ["€ {:,.2f}", '"{:,.0f}"', "{:.1f} %"])
def test_a_target_of_amounts_is_a_number(tmp_path, capsys, form):
    price = [2000 + 700 * float(v) + k for k, v in enumerate(X)]
    path, saved = tmp_path / "t.csv", str(tmp_path / "t.skops")
    cells = [form.format(v) if '"' in form else f'"{form.format(v)}"' for v in price]
    path.write_text(table(x=X, price=cells), encoding="utf-8")
    asked = ["fit", str(path), "--target", "price", "--model", "ridge", "--cv", "1x3", "--save", saved]
    assert run_command_line(asked) == 0
    told = capsys.readouterr().out
    assert "The target 'price' holds numbers, written with" in told
    assert "different numbers, from" in told
    assert run_command_line(["predict", saved, str(path)]) == 0
    assert "The table has the true numbers: root mean square error" in capsys.readouterr().err


def test_classes_of_per_cent_stay_classes(tmp_path, capsys):
    code, told = run(tmp_path, capsys, table(x=X, y=["5 %" if v == "a" else "10 %" for v in Y]).encode())
    assert code == 0
    assert "2 classes, rows of each: 5 % 30, 10 % 30" in told.out


def test_folds_are_those_that_are_used(tmp_path, capsys):
    """Six patients of the rarer class: six folds, also in the finding on small classes."""
    who = [f"p{k // 2}" for k in range(P)]
    label = ["b" if k < 12 else "a" for k in range(P)]
    path = tmp_path / "t.csv"
    path.write_text(table(who=who, x=X, z=Z, y=label))
    asked = ["fit", str(path), "--target", "y", "--model", "hebb", "--cv", "1x10", "--group", "who"]
    assert run_command_line(asked) == 0
    told = capsys.readouterr().out
    assert "6 folds instead of 10: the rows of class 'b' belong to 6 groups (copies of a row are one)" in told
    assert "so that each of the 6 folds tests" in told


def test_texts_of_many_values_raise_no_warning(tmp_path, capsys):
    code, told = run(tmp_path, capsys, ANSWERED["texts of many values"][0])
    assert code == 0
    assert "In cross-validation (" not in told.out
