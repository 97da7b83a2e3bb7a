"""The project: all facts resolved against each other. The face of this package; answers questions, judges nothing."""

from layercheck.project.index import CONSUMER
from layercheck.project.model import Link, Member, Origin, Target, Use
from layercheck.project.project import Project

__all__ = ["CONSUMER", "Link", "Member", "Origin", "Project", "Target", "Use"]
