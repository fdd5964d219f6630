"""Builds the menu bar from the registry."""

from itertools import groupby

from PySide6.QtWidgets import QMenu, QMenuBar

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionRegistry, ActionSpec, Menu


def _titles() -> dict[Menu, str]:
    return {
        Menu.FILE: tr("&File"),
        Menu.EDIT: tr("&Edit"),
        Menu.VIEW: tr("&View"),
        Menu.RUN: tr("R&un"),
        Menu.REVIEW: tr("&Review"),
        Menu.REPORTS: tr("Re&ports"),
        Menu.WINDOW: tr("&Window"),
        Menu.HELP: tr("&Help"),
    }


def build_menus(bar: QMenuBar, registry: ActionRegistry) -> dict[Menu, QMenu]:
    """Fill *bar*; a menu without commands is left out."""
    made: dict[Menu, QMenu] = {}
    for which, title in _titles().items():
        specs = sorted((spec for spec in registry.specs() if spec.menu is which), key=lambda spec: spec.group)
        if specs:
            made[which] = bar.addMenu(title)
            _fill(made[which], specs, registry)
    return made


def _fill(menu: QMenu, specs: list[ActionSpec], registry: ActionRegistry) -> None:
    submenus: dict[str, QMenu] = {}
    for _, group in groupby(specs, key=lambda spec: spec.group):
        if menu.actions():
            menu.addSeparator()
        for spec in group:
            target = menu
            if spec.submenu:
                if spec.submenu not in submenus:
                    submenus[spec.submenu] = menu.addMenu(spec.submenu)
                target = submenus[spec.submenu]
            target.addAction(registry.action(spec.id))
