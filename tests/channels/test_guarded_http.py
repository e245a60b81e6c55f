"""Which addresses a channel may connect to, however they are written, and what it costs to be able to."""

import subprocess
import sys

import pytest

from signoff.channels.guarded_http import allowed_address
from signoff.channels.port import ChannelError

METADATA = (
    *("169.254.169.254", "100.100.100.200", "fd00:ec2::254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe"),
    *("2002:a9fe:a9fe::1", "::a9fe:a9fe", "::ffff:0:a9fe:a9fe", "64:ff9b:1::a9fe:a9fe"),
)
PRIVATE = (
    *("127.0.0.1", "10.0.0.1", "::1", "fec0::1", "fd00::1", "fe80::1"),
    *("::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::1", "::a00:1", "::ffff:0:a00:1", "64:ff9b:1::a00:1"),
    *("64:ff9b:1:a00:0:100:808:808", "64:ff9b:1::808:808"),
)
PUBLIC = ("8.8.8.8", "2001:4860:4860::8888", "64:ff9b::808:808", "::ffff:8.8.8.8", "2002:808:808::1")


@pytest.mark.parametrize("address", METADATA)
@pytest.mark.parametrize("reaches_private", [True, False])
def test_a_metadata_service_is_reached_by_nobody(address: str, reaches_private: bool) -> None:
    with pytest.raises(ChannelError):
        allowed_address(address, 80, reaches_private=reaches_private)


@pytest.mark.parametrize("address", PRIVATE)
def test_a_private_address_is_reached_only_by_whoever_runs_the_server(address: str) -> None:
    assert allowed_address(address, 80, reaches_private=True)
    with pytest.raises(ChannelError):
        allowed_address(address, 80, reaches_private=False)


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_reached_by_every_channel(address: str) -> None:
    assert allowed_address(address, 80, reaches_private=False)


def test_knowing_every_channel_loads_nothing_that_only_sending_needs() -> None:
    found = (
        "import sys, signoff.channels.kinds; print([n for n in ('standardwebhooks', 'httpcore') if n in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", found], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "[]"
