from tests.channels.alone import mailbox, only_this_tests_people_and_channels  # noqa: F401
