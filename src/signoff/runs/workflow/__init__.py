"""Runs of workflows: their steps are child runs, their checkpoints asks."""
