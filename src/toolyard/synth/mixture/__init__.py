"""Training rows in the form that each benchmark evaluates with, mixed; `pipeline` holds the pipelines."""
