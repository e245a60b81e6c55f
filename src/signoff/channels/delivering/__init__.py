"""Deliveries are claimed, sent, tried again, and updated."""
