"""The rules of `check`: pure; a store read at one moment goes in, findings come out."""
