"""Mail: SMTP out, answers by link or reply."""
