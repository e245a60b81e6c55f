"""Who is notified, inside the product."""
