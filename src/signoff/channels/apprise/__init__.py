"""Any other chat service, by one address of Apprise."""
