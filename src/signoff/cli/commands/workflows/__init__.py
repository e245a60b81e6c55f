"""Agents in sequence: defined in files, checked, deployed, run and watched."""
