"""Other tools' settings -> the text of a rules file with the same verdict. Pure: text in, text out."""
