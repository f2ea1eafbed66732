"""From training rows to a better model: fine-tuning, adapters, export. Imported without torch."""
