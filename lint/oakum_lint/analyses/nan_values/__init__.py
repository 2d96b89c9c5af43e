"""Values that are NaN or infinite: products and quotients of infinities."""
