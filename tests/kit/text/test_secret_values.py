import pytest

from signoff.kit.text.secret_values import HIDDEN, without_secrets

TOKEN = "4711:AAH-half-of-it-is-enough"


@pytest.mark.parametrize("said", [TOKEN, TOKEN.partition(":")[2], TOKEN.replace(":", "%3A"), TOKEN[:-3]])
def test_a_token_behind_a_name_is_hidden_whole_in_half_and_cut(said: str) -> None:
    assert without_secrets([TOKEN], f"no bot {said}") == f"no bot {HIDDEN}"
