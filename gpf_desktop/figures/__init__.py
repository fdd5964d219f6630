"""Figures once: from what was found to shapes with places, which window, web page, documents and files draw alike.

shapes     what a picture is made of; colours by what they are for
text_widths  how wide words are, and where lines break
palette    the colours themselves
marks      one grammar: mark, range, band, controls, chips
axes       scales and the words at their ends
lead       the figure that leads a page of conclusions; lead_key: what its marks mean; lead_words: what it says
plots      an axis below, marks of estimates and their words
intervals, profiles, violins, scatter, point_map, heat, series    one kind of figure each, from a finding's rows
svg        a figure as a drawing for pages and files

Nothing here knows Qt: the window paints the same shapes (`ui.widgets.figure_plot`, `figure_view`).
"""
