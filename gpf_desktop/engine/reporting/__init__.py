"""From scores to tables, figures and reports."""
