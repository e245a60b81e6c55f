"""A mail is from whom it says only if our own mail server says so, in words that nobody else could have written."""

import pytest

from signoff.channels.email.replies.authentication import is_aligned, why_not_authenticated
from signoff.channels.email.replies.headers import split_mail

SERVER, DOMAIN = "mx.example.org", "example.org"


def is_believed(*results: str, server: str = SERVER, domain: str = DOMAIN) -> bool:
    """Of a mail with these Authentication-Results, the topmost first."""
    raw = "".join(f"Authentication-Results: {each}\r\n" for each in results)
    headers, _ = split_mail(f"{raw}From: ann@{domain}\r\n\r\nx".encode())
    return why_not_authenticated(headers, server, domain) is None


@pytest.mark.parametrize(
    "said",
    [
        "dmarc=pass header.from=example.org",
        "dmarc=pass (p=REJECT sp=NONE dis=NONE) header.from=Example.ORG",
        "spf=fail smtp.mailfrom=x@lists.example; dkim=pass header.d=example.org header.s=a header.b=Ab1/",
        "dkim=pass (2048-bit key) header.d=example.org; dmarc=none",
        "dkim=pass header.i=@example.org header.s=mail; spf=none smtp.mailfrom=",
        "dkim=fail header.d=example.org; dkim=pass header.d=example.org",
        "spf=pass smtp.mailfrom=ann@example.org",
        "spf=pass (mx: domain of ann@example.org designates 192.0.2.1 as permitted) smtp.mailfrom=example.org",
        'dkim/1 = pass reason="good signature" header.d = example.org',
        "auth=pass smtp.auth=ann; iprev=pass policy.iprev=192.0.2.1; dmarc=pass header.from=example.org;",
    ],
)
def test_what_our_server_vouches_for_is_believed(said: str) -> None:
    assert is_believed(f"{SERVER}; {said}")
    assert is_believed(f"MX.example.org 1;\r\n\t{said}")
    assert is_believed(f"(ours) {SERVER} (really);\r\n {said.replace('; ', ';' + chr(13) + chr(10) + chr(9))}")


@pytest.mark.parametrize(
    "said",
    [
        "none",
        "dmarc=fail header.from=example.org",
        "dmarc=none header.from=example.org",
        "dmarc=pass header.from=example.com",
        "dmarc=pass",
        "dmarc=pass header.from=example.org header.from=evil.example",
        "dmarc=fail header.from=example.org; dkim=pass header.d=example.org",
        "dmarc=fail header.from=example.org; dmarc=pass header.from=example.org",
        "dkim=pass header.d=evil.example",
        "dkim=pass header.d=org",
        "dkim=pass header.d=notexample.org",
        "dkim=pass header.d=example.org.evil.example",
        "dkim=pass header.d=mail.example.org",
        "dkim=pass header.d=exаmple.org",  # noqa: RUF001
        "dkim=pass header.b=example.org",
        "dkim=neutral header.d=example.org",
        "dkim=passed header.d=example.org",
        "x-dkim=pass header.d=example.org",
        "spf=softfail smtp.mailfrom=ann@example.org",
        "spf=pass smtp.helo=example.org",
        "spf=pass smtp.mailfrom=ann@example.org@evil.example",
        # What somebody wrote into their own address.
        "spf=pass smtp.mailfrom=dkim=pass@evil.example",
        'spf=pass smtp.mailfrom="x; dkim=pass header.d=example.org"@evil.example',
        'spf=pass smtp.mailfrom="x\\"; dkim=pass header.d=example.org; x=\\""@evil.example',
        'spf=pass (domain of "x) ; dkim=pass header.d=example.org ("@evil.example) smtp.mailfrom=evil.example',
        "spf=pass (domain of x\\) ; dkim=pass header.d=example.org) smtp.mailfrom=evil.example",
        "spf=pass (dkim=pass header.d=example.org) smtp.mailfrom=evil.example",
        "dkim=pass header.d=example.org(x).evil.example",
        # What has no end could have any.
        "dkim=pass header.d=example.org (",
        'dkim=pass header.d=example.org reason="',
        "dkim=pass header.d=example.org )",
        "dkim=pass header.d=example.org and more",
        "dkim",
        "=pass header.d=example.org",
    ],
)
def test_everything_else_is_not(said: str) -> None:
    assert not is_believed(f"{SERVER}; {said}")


def test_what_came_with_the_mail_does_not_count() -> None:
    ours, forged = f"{SERVER}; dkim=none; spf=none; dmarc=none", f"{SERVER}; dmarc=pass header.from=example.org"
    assert not is_believed(ours, forged)
    assert not is_believed(f"{SERVER}; none", forged)
    assert not is_believed(SERVER, forged)
    assert is_believed(forged, ours), "the topmost is ours"


def test_our_servers_own_words_that_cannot_be_read_do_not_let_those_below_count() -> None:
    forged = f"{SERVER}; dmarc=pass header.from=example.org"
    assert not is_believed(f"{SERVER} (; dkim=none", forged)
    assert not is_believed(f'{SERVER}; dkim=none reason="', forged)


@pytest.mark.parametrize(
    "server", ["mx.evil.example", "mx.example.org.evil.example", "example.org", "xmx.example.org", "", "mx.example.örg"]
)
def test_another_server_has_no_say(server: str) -> None:
    said = "dmarc=pass header.from=example.org"
    assert not is_believed(f"{server}; {said}")
    assert is_believed(f"{server}; dmarc=fail header.from=example.org", f"{SERVER}; {said}")


def test_a_server_that_does_not_say_its_name_has_no_say() -> None:
    assert not is_believed("dmarc=pass header.from=example.org")
    assert not is_believed(";dmarc=pass header.from=example.org", server="")


def test_a_mail_without_a_word_of_our_server_is_not_believed() -> None:
    assert not is_believed()


def test_only_the_same_domain_or_one_above_it_is_aligned() -> None:
    assert is_aligned("example.org", "example.org")
    assert is_aligned("example.org", "mail.example.org")
    assert not is_aligned("mail.example.org", "example.org")
    assert not is_aligned("other.example.org", "mail.example.org")
    assert not is_aligned("org", "example.org")
    assert not is_aligned(".org", "example.org")
    assert not is_aligned("org.", "example.org")
    assert not is_aligned("", "example.org")
