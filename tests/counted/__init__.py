"""Sources of figures that are shipped as data: each module counts or measures some and is run by itself."""
