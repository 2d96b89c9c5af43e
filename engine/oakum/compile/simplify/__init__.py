"""Programs made simpler before they are compiled, by algebraic rules as data: see `passes`."""
