"""The project: all facts resolved against each other. The face of this package; answers questions, judges nothing."""

from layercheck.project.model import Layout, Link, Member, Placed, Shadowed, Target, Unread, Use
from layercheck.project.project import Project

__all__ = ["Layout", "Link", "Member", "Placed", "Project", "Shadowed", "Target", "Unread", "Use"]
