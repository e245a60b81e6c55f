from tests.channels.alone import kind, mailbox, only_this_tests_people_and_channels  # noqa: F401
