"""The moving side: claims runs, turns the reasoning loop, carries out calls."""
