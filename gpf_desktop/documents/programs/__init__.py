"""Files of answers as other programs write them, one program a file: what its records say, as rows of plain columns."""
