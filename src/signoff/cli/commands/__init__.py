"""What can be typed after `signoff`."""
