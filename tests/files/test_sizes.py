"""Sizes as people write them."""

from signoff.files.quota import shown_size


def test_a_size_has_one_decimal_where_it_is_not_round() -> None:
    sizes = (12, 1024, 1512, 20 * 1024**2, 5 * 1024**3 // 2)
    assert [shown_size(size) for size in sizes] == ["12 bytes", "1 KB", "1.5 KB", "20 MB", "2.5 GB"]
