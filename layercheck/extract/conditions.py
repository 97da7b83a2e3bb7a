"""Under what a statement stands: tests, loops, ``try`` and its arms; as one immutable value."""

from __future__ import annotations

from typing import NamedTuple

from layercheck.extract.guards import TRUE, both, decided
from layercheck.facts import Guard


class Conditions(NamedTuple):
    """What must hold for a statement to run, and what happens where it fails."""

    guard: Guard = TRUE
    """The conjunction of the tests that mention names, or a certain ``false``."""
    conditional: bool = False
    """Under an undecided test, in a loop or an arm that may not run."""
    fragile: bool = False
    """In a block that may be left by an exception while the module goes on."""
    optional: bool = False
    """In a block whose ImportError is caught."""
    raises: bool = False
    """In a block whose ImportError is expected."""
    handler: bool = False
    """In an arm that runs after an ImportError, or beside one."""
    main: bool = False
    """Under ``if __name__ == "__main__"``."""
    trying: bool = False
    """Anywhere in a ``try`` statement."""
    runs: bool = True
    """Whether it may run while the module is imported, as far as this file alone says."""

    def under(self, guard: Guard, value: bool | None) -> Conditions:
        """The same, under one more test, with its value as far as this file alone says it."""
        kept, undecided = decided(guard)
        return self._replace(
            guard=both((self.guard, kept)),
            conditional=self.conditional or undecided or value is None,
            runs=self.runs and value is not False,
        )

    def maybe(self) -> Conditions:
        """The same, where it may not run at all."""
        return self if self.conditional else self._replace(conditional=True)

    def called_later(self) -> Conditions:
        """The same for the body of a function defined here: no ``try`` around the definition protects it."""
        return Conditions(guard=self.guard, conditional=self.conditional, main=self.main, runs=False)


UNCONDITIONAL = Conditions()
"""At the top level of a module."""
