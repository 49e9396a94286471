from importlib.metadata import version as installed_version

project = "pytest-appbench"
author = "the pytest-appbench maintainers"
copyright = author
release = version = installed_version("pytest-appbench")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "pytest-appbench"
exclude_patterns = ["_build"]
autodoc_member_order = "bysource"
autodoc_typehints = "description"
napoleon_google_docstring = True
nitpicky = False
