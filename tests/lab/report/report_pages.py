"""A declared experiment, and a reader of pages, for the tests of reports."""

from html.parser import HTMLParser

from generated_points import Declaration, claim, figure


def declared(**more):
    return Declaration(
        repeats=60,
        figures=[
            figure(measures=["converged", "separable"]),
            figure("stability", measures=["kappa"], theory=["kappa"]),
        ],
        claims=[
            claim("For P <= N all sets are separable.", where={"alpha_max": 1.0}, every_run={"equals": 1.0}),
            claim("Nothing is ever separable.", below=0.1),
            claim("Certainly.", where={"alpha": 0.5}, above=0.999),
        ],
        **more,
    )


class Page(HTMLParser):
    """Checks that tags are balanced; collects ids, references and addresses."""

    void = ("meta", "br", "link", "img", "hr", "path", "use", "stop")

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.addresses, self.texts = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        if tag not in self.void:
            self.open.append(tag)
        self.handle_startendtag(tag, attributes)

    def handle_startendtag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "xlink:href"):
                self.addresses.append(value)

    def handle_endtag(self, tag):
        if tag not in self.void:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)
