"""What `sandbox` is made of; nothing else imports from here."""
