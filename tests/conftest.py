"""What holds for every test: standard output belongs to answers, whichever test ran before."""

import pytest

from deploy.logs import log_to_stderr


@pytest.fixture(autouse=True)
def _logs_on_standard_error() -> None:
    """Each test begins with logs where a command puts them, and not as the test before it left them."""
    log_to_stderr()
