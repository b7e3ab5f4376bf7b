#!/usr/bin/python3
"""A window of WebKitGTK for WebKitWebDriver. MiniBrowser has no console, and is never as narrow as a phone."""

import sys

import gi

gi.require_version('Gdk', '3.0')
gi.require_version('Gtk', '3.0')
gi.require_version('WebKit2', '4.1')
from gi.repository import Gdk, Gtk, WebKit2

folder = sys.argv[1]
# Without a folder there is no local storage.
data = WebKit2.WebsiteDataManager(base_data_directory=f'{folder}/data', base_cache_directory=f'{folder}/cache')
context = WebKit2.WebContext(website_data_manager=data)
context.set_automation_allowed(True)
context.set_preferred_languages(['en'])


def open_window(*_):
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True)
    settings = view.get_settings()
    settings.set_enable_write_console_messages_to_stdout(True)
    window = Gtk.Window()
    window.set_default_size(1280, 900)
    window.add(view)
    window.show_all()
    view.grab_focus()
    # There is no window manager that would give it the focus.
    window.get_window().focus(Gdk.CURRENT_TIME)
    return view


def start(_, session):
    session.connect('create-web-view', open_window)


context.connect('automation-started', start)
Gtk.main()
