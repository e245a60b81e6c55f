"""What an ask's call would change, as people see it before they decide, and silence as an answer."""
