"""Tables, figures and reports made from scores."""
