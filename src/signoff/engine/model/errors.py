"""How a model call can fail, sorted by what to do about it."""


class ModelProblem(Exception):
    """The model gave no reply."""


class TryLater(ModelProblem):
    """Rate limit, overload, network: the same call may work in a while."""

    # For the person who is asked when it did not.
    remedy = "Check that the model's provider works, then retry."

    def __init__(self, message: str, after: float | None) -> None:
        super().__init__(message)
        self.after = after


class AskSomeone(ModelProblem):
    """Quota or credentials: only a person can mend that, by `remedy`."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.remedy = remedy


class ContextFull(ModelProblem):
    """The conversation is too long for the model."""


class ModelFailed(ModelProblem):
    """It will not work, however often it is tried."""
