"""Write .venv/share/plots.html, the page that `dvc plots show` fills in (.dvc/config): Vega is in it.

DVC's own page loads Vega from servers elsewhere. This one loads nothing, wherever it is opened or copied to.
"""

import sys
from pathlib import Path

import vl_convert

FILE = Path(sys.prefix, "share", "plots.html")
# DVC puts its plots in the place of the name in braces.
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Curves and figures</title>
<style>
body {{ font-family: sans-serif; }}
img {{ max-width: 100%; }}
</style>
<script>(() => {{
{vega}
}})();</script>
</head>
<body>
{{plot_divs}}
</body>
</html>
"""

FILE.parent.mkdir(exist_ok=True)
FILE.write_text(PAGE.format(vega=vl_convert.javascript_bundle()), encoding="utf-8")
