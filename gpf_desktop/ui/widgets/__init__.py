"""Widgets that pages are built from.

buttons.py       push buttons, icon buttons, links          labels.py       headings, captions, wrapped text
badge.py         chips with icon and word                   cards.py        Card, StatCard, EmptyState
columns.py       what a table's columns say                 table_models.py rows in memory, rows by page
data_table.py    the table view                             delegates.py    cells with bars and tones
span_text.py     reading text with highlights               fields.py       FormField, SearchField
options_form.py  a form from an options dataclass           section.py      CollapsibleSection
heat_map.py      values on a grid                           scatter.py      points with intervals
chart_card.py    a chart with its table and its exports     layouts.py      FlowLayout and small helpers
wheel_guard.py   the wheel changes nothing unfocused
"""
