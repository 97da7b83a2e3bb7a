"""The families of payments, one module each."""
