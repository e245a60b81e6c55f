"""Browser push: sealed for one browser, with the buttons that its platform has."""
