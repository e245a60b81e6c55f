"""What can be said in the format and still cannot work: nobody who could sign, or a rule that is never reached."""
