"""Animations of histories: frames, strips of panels for print, GIF and MP4, an HTML page."""
