"""Who is told, inside the product."""
