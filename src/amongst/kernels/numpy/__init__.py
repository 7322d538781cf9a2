"""The kernels in numpy: what the compiled ones are held against, and what runs where there is no compiler."""
