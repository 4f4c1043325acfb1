"""One module per verb: stores and a request in, frozen results out."""
