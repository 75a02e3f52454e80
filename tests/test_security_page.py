"""SECURITY.md: every statement is tested by the test that stands beside it, or promises nothing."""

import ast
import re
from pathlib import Path

import pytest

from markone.lab.scenarios.estimators.allowed_estimators import MAX_DEPTH, MAX_VALUES
from markone.tables import model_file

ROOT = Path(__file__).parents[1]
# Words of a statement, by the file of the test that holds it.
TESTED = {
    "lab/scenarios/estimators/test_allowed_estimators.py": {
        "a student is built": "test_no_parameter_of_scikit_learn_names_a_file_a_cache_or_a_function",
        "at most 4 deep and 30 values": "test_depth",
        "whole numbers above a million": "test_sentences",
        "no path, cache or function is taken": "test_listed_classes_exist_and_fit_without_files",
    },
    "lab/documents/test_bundle.py": {
        "no file leaves the new folder": "test_files_are_missing_added_or_outside",
        "each file is compared": "test_any_edited_number_is_found",
        "with its own code only by": "test_it_is_computed_again_in_another_place",
    },
    "lab/test_foreign_code.py": {
        "other packages only with `--allow`": "test_a_strangers_declaration_runs_no_strangers_code",
    },
    "cli/test_hostile_input.py": {
        "Names are checked once": "test_names_are_checked_wherever_they_come_in",
        "texts with control characters": "test_declarations_out_of_all_bounds",
        "by TLS (`tls://...`)": "test_dask_beyond_this_machine_needs_tls_or_a_word",
        "on a terminal": "test_column_names_do_not_reach_the_terminal_as_escapes",
    },
    "web/test_drafts.py": {
        "Reading takes at most a second": "test_random_drafts_are_answered",
    },
    "numerics/test_text.py": {
        "reverse the direction of writing": "test_a_terminal_neither_obeys_a_text_nor_turns_it_around",
    },
    "tables/test_model_file.py": {
        "only classes defined in markone's own": "test_what_is_not_trusted_is_named_and_not_loaded",
        "pickles never": "test_files_that_are_no_models",
        "unpacks to more than 4 GB": "test_an_archive_that_unpacks_to_very_much_is_not_read",
    },
    "lab/store/test_verify.py": {
        "every row has a checksum": "test_a_flipped_bit_is_found_or_harmless",
        "lists damaged rows": "test_damage_is_found_and_repaired",
    },
    "numerics/test_private_folder.py": {
        "kept in a folder of mode 0700": "test_it_is_made_for_its_owner_alone",
    },
    "numerics/test_compiling.py": {
        "your own cache folder is used": "test_a_folder_that_others_can_write_to_is_left_for_the_users_own",
    },
    "numerics/test_numba_internals.py": {
        "a damaged one is compiled again": "test_a_damaged_file_is_replaced",
    },
    "lab/runner/test_task_guard.py": {
        "the same sources (a hash)": "test_a_worker_of_other_code_is_refused_before_its_first_task",
        "version and kind of CPU are stored": "test_the_code_is_hashed_and_stands_in_every_row",
    },
    "test_release.py": {
        "the versions and hashes": "test_each_locked_package_has_hashes_and_none_names_its_origin",
        "`make lock` renews": "test_every_requirement_is_locked_in_a_version_that_it_allows",
    },
    "web/test_security.py": {
        "a random token in the link": "test_a_token_is_the_default_also_on_this_machine",
        "otherwise 401": "test_with_a_token_only_its_link_gives_access",
        "`--no-token` only on localhost": "test_another_address_is_refused_without_a_token",
        "Headers must arrive in 10 s": "test_half_a_request_is_closed",
    },
    "web/test_protocol.py": {
        "No request delays": "test_a_long_frame_does_not_delay_other_sessions",
    },
    "numerics/test_files.py": {
        "under a random name": "test_a_planted_link_is_not_followed",
        "get an apostrophe": "test_formulas_are_texts",
    },
    "show/test_page.py": {
        "never interpreted as HTML": "test_hostile_text_is_escaped_everywhere",
    },
    "cli/test_stopping.py": {
        "readable by you\nalone": "test_what_nobody_foresaw",
    },
}
# These say what is not protected, or what a reader should do.
NO_PROMISE = [
    "A checksum detects accidents",
    "not a malicious worker",
    "can run any code on its workers",
    "takes what the ranges",
    "import only what you trust",
    "copy the printed link instead",
]
WORDS = [*NO_PROMISE, *(words for tests in TESTED.values() for words in tests)]


def _statements():
    """The sentences of the last column and of the paragraph below the table."""
    page = (ROOT / "SECURITY.md").read_text().partition("## How to report")[0]
    cells = [line.split(" | ")[-1].strip(" |") for line in page.splitlines() if line.startswith("| ")][1:]
    text = page.partition("Output: ")[2].strip()
    return [part for cell in [*cells, text] for part in re.split(r"(?<=[.;]) +|(?<=\w[.;])\n", cell) if part]


def test_every_statement_has_its_test():
    assert [part for part in _statements() if not any(words in part for words in WORDS)] == []
    assert [words for words in WORDS if not any(words in part for part in _statements())] == []


@pytest.mark.parametrize("file", TESTED)
def test_the_tests_exist(file):
    tests = ast.parse((ROOT / "tests" / file).read_text()).body
    assert set(TESTED[file].values()) <= {test.name for test in tests if isinstance(test, ast.FunctionDef)}


def test_the_numbers_are_those_of_the_code():
    limits = pytest.importorskip("markone.web.time_limits", reason="the laboratory needs markone[web]")
    page, times = (ROOT / "SECURITY.md").read_text(), limits.TimedRequests
    assert f"at most {MAX_DEPTH} deep and {MAX_VALUES} values" in page
    assert f"more than {model_file.LARGEST / 1e9:.0f} GB" in page
    assert f"Headers must arrive in {times.header_seconds:.0f} s" in page
    assert f"a whole request and its answer in {times.exchange_seconds:.0f} s" in page
