"""The settings of Sphinx."""

from pathlib import Path

from course.site import sheets
from course.site.highlighting import STYLES

HERE = Path(__file__).parent


def settings(root: Path, *, student: bool) -> dict[str, object]:
    """What would stand in a conf.py."""
    title = "probml" + (", student edition" if student else "")
    return {
        "project": title,
        "copyright": "",
        "language": "en",
        "project_root": str(root),
        "extensions": [
            "myst_nb",
            "sphinx.ext.autodoc",
            "sphinx.ext.mathjax",
            "sphinx_copybutton",
            "sphinx_design",
            "course.site.extension",
        ],
        "nb_execution_mode": "off",
        "nb_render_markdown_format": "myst",
        "nb_merge_streams": True,
        "myst_enable_extensions": ["dollarmath", "amsmath", "attrs_block", "attrs_inline", "colon_fence", "deflist"],
        "myst_heading_anchors": 3,
        "myst_url_schemes": ["http", "https", "mailto", "site", "source"],
        "myst_dmath_double_inline": True,
        "suppress_warnings": ["myst.header", "config.cache"],
        "nitpicky": False,
        "autodoc_typehints": "none",
        "autodoc_member_order": "bysource",
        "autodoc_class_signature": "mixed",
        "python_use_unqualified_type_names": True,
        "add_module_names": False,
        "toc_object_entries": False,
        "mathjax_path": "mathjax/tex-chtml.js",
        "mathjax3_config": {
            "tex": {"packages": {"[+]": ["boldsymbol"]}},
            "loader": {"load": ["[tex]/boldsymbol"]},
            "options": {"enableMenu": False},
            "chtml": {"scale": 1.0, "matchFontHeight": False},
        },
        "html_theme": "sphinx_book_theme",
        "html_title": title,
        "html_theme_options": {
            "navbar_persistent": [],
            "navigation_with_keys": False,
            "show_navbar_depth": 1,
            "show_toc_level": 2,
            "home_page_in_toc": True,
            "use_download_button": False,
            "use_fullscreen_button": False,
            "pygments_light_style": STYLES["light"],
            "pygments_dark_style": STYLES["dark"],
            "footer_content_items": [],
            "extra_footer": "",
            "secondary_sidebar_items": {  # the last one that fits counts
                "**": ["page-toc"],
                "ledgers/equations": [],
                "ledgers/published-numbers": [],
                "ledgers/claims": [],
                "benchmarks": [],
                **{f"sheets/{name}": [] for name in sheets.names(root)},
            },
        },
        "html_context": {"default_mode": "auto"},
        "html_static_path": [str(HERE / "static")],
        "templates_path": [str(HERE / "templates")],
        "html_css_files": ["site.css"],
        "html_js_files": [("site.js", {"defer": "defer"})],
        "html_use_index": False,
        "html_domain_indices": False,
        "html_copy_source": False,
        "html_scaled_image_link": False,  # the extension links all figures
        "html_show_sourcelink": False,
        "html_show_copyright": False,
        "html_show_sphinx": False,
        "html_permalinks_icon": "#",
        "html_last_updated_fmt": None,
        "copybutton_selector": "div.cell_input div.highlight pre, div.highlight-python pre, div.highlight-sh pre",
    }
