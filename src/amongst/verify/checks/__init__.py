"""What is checked of every published file, whatever was asked: labels, nulls, and what lies beside the cells."""
