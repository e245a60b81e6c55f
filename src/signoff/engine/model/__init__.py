"""Everything about talking to models. Knows neither claims nor asks."""
