"""Tokens as a QPalette, for everything that Fusion paints itself."""

from PySide6.QtGui import QColor, QPalette

from gpf_desktop.ui.theme.tokens import Palette


def blend(front: str, back: str, share: float) -> str:
    """*share* of *front* over *back*, as ``#RRGGBB``."""
    pairs = [(int(front[at : at + 2], 16), int(back[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(f * share + b * (1 - share)):02X}" for f, b in pairs)


def disabled_text(tokens: Palette) -> str:
    """Text of what cannot be used now: quieter, still legible."""
    return blend(tokens.text_secondary, tokens.surface, 0.72)


def hint_text(tokens: Palette) -> str:
    """The colour of an empty field's hint: not to be taken for something typed, and as legible as that."""
    return blend(tokens.text_secondary, tokens.surface, 0.82)


def field_edge(tokens: Palette) -> str:
    """Around what can be typed in or chosen from: 3:1 against what is inside and outside (WCAG 2.2, 1.4.11)."""
    return blend(tokens.text_secondary, tokens.surface, 0.74)


def groove(tokens: Palette) -> str:
    """The colour of the part that a bar has yet to fill, seen also where the palette has no sunken ground."""
    sunken = tokens.sunken != tokens.surface
    return tokens.sunken if sunken else blend(tokens.border, tokens.surface, 0.45)


def qt_palette(tokens: Palette) -> QPalette:
    """Every role that a standard widget asks for."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    colors = {
        role.Window: tokens.window,
        role.WindowText: tokens.text,
        role.Base: tokens.surface,
        role.AlternateBase: tokens.sunken,
        role.Text: tokens.text,
        role.PlaceholderText: hint_text(tokens),
        role.Button: tokens.surface,
        role.ButtonText: tokens.text,
        role.BrightText: tokens.on_accent,
        role.ToolTipBase: tokens.surface,
        role.ToolTipText: tokens.text,
        role.Highlight: tokens.selection,
        role.HighlightedText: tokens.text,
        role.Accent: tokens.accent,
        role.Link: tokens.accent,
        role.LinkVisited: tokens.synthetic,
        role.Light: tokens.surface,
        role.Midlight: tokens.window,
        role.Mid: tokens.border,
        role.Dark: tokens.border,
        role.Shadow: tokens.border,
    }
    made = QPalette()
    for which, color in colors.items():
        made.setColor(which, QColor(color))
    quiet = QColor(disabled_text(tokens))
    for which in (role.WindowText, role.Text, role.ButtonText, role.PlaceholderText, role.HighlightedText):
        made.setColor(group.Disabled, which, quiet)
    return made
