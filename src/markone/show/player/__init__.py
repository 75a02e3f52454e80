"""From a history to a film: frames, strips for print, GIF and MP4, one page of HTML."""
