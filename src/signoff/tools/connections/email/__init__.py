"""Mail in the name of an address, over a mail server of the workspace's own."""
