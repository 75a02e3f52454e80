import os

import hypothesis

hypothesis.settings.register_profile("markone", deadline=None, derandomize=bool(os.environ.get("CI")))
hypothesis.settings.load_profile("markone")
