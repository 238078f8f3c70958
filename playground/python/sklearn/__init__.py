"""Of scikit-learn the page has the digits alone, which `legacy_autograd.demos.datasets` reads."""
