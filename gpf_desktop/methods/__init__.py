"""One folder per method; its `method.py` exposes ``METHOD``. Methods never import each other."""
