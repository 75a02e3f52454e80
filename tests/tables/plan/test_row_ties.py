"""Constraints between rows."""

import numpy as np
import pytest
from some_tables import table

from markone.errors import BadTable
from markone.tables.row_splits import join_groups, parse_time, row_groups, row_times


def same(groups):
    """Which pairs are together, whatever the groups are called."""
    return np.equal.outer(groups, groups)


def test_rows_are_together_if_either_grouping_says_so():
    one, other = np.array([0, 0, 1, 2, 3]), np.array([5, 6, 6, 7, 8])
    assert np.array_equal(same(join_groups(one, other)), same(np.array([0, 0, 0, 1, 2])))
    assert join_groups(one, None) is one
    assert join_groups(None, None) is None


def test_a_missing_group_is_a_row_by_itself():
    found = row_groups(table(who=["p", "", "p", "NA", "q", "p"] * 2), "who")
    assert found[0] == found[2] == found[5] == found[6]
    assert len({*found[[1, 3, 7, 9]]}) == 4


@pytest.mark.parametrize(
    ("texts", "order"),
    [
        (["2024-03-31", "2023-12-01", "2024-04-01"], [1, 0, 2]),
        (["31.3.2024", "1.12.2023", "01.04.2024"], [1, 0, 2]),
        (["3/31/2024", "12/1/2023", "4/1/2024"], [1, 0, 2]),
        (["31 Mar 2024", "1 Dec 2023", "1 Apr 2024"], [1, 0, 2]),
        (["2024-03-31", "1.12.2023", "01.04.2024"], [1, 0, 2]),
        (["2024-03-31T10:00", "2024-03-31 09:00", "2024-03-31T10:00:01"], [1, 0, 2]),
        (["2024-03-31T10:00+02:00", "2024-03-31T09:00+00:00", "2024-03-31T07:00Z"], [2, 0, 1]),
    ],
)
def test_dates_that_can_be_read_in_one_way(texts, order):
    assert np.argsort(row_times(table(t=texts * 4), "t")[:3]).tolist() == order


def test_dates_that_can_be_read_in_two_ways_are_refused():
    with pytest.raises(BadTable, match=r"row 1 has '3/4/2024', .* Write dates as 2024-03-31"):
        row_times(table(t=["3/4/2024", "4/3/2024"] * 6), "t")
    with pytest.raises(BadTable, match="is missing in row 2"):
        row_times(table(t=["2024-03-31", ""] * 6), "t")
    assert np.isnan(parse_time("soon"))
