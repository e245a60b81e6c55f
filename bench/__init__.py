"""The figures of PRODUCT §10, next to a bare committed write and to a peer, in one run: `python -m bench`."""
