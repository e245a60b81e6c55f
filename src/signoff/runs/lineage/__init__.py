"""Runs that follow others: continued with more words, or tried again."""
