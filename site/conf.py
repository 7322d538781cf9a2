"""How Sphinx draws the site; `make site` lays out what it draws, see `scripts/site`."""

import amongst

project = "amongst"
author = "The amongst developers"
copyright = "the amongst developers; Apache 2.0"
version = release = amongst.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"amongst {version}"
html_static_path = ["static"]
html_css_files = ["amongst.css"]
html_show_sphinx = False
html_copy_source = html_show_sourcelink = False
html_theme_options = {
    # the colours of the reports, for light and dark
    "light_css_variables": {"color-brand-primary": "#1f5f8b", "color-brand-content": "#1f5f8b"},
    "dark_css_variables": {"color-brand-primary": "#7fb8e0", "color-brand-content": "#7fb8e0"},
}
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "attrs_inline"]
highlight_language = "none"
napoleon_numpy_docstring, napoleon_google_docstring = True, False
napoleon_use_rtype = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
# a type in a docstring is a word, and several things have a table
suppress_warnings = ["misc.highlighting_failure", "ref.python"]
toc_object_entries = False
