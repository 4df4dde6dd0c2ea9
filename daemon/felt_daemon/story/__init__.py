"""The story of an incident: what happened, who did what, and a bundle that anybody can check."""

from felt_daemon.story.finding import Found, find, summaries
from felt_daemon.story.summary import Summary
from felt_daemon.story.telling import Chapter, Story, document, tell

__all__ = ["Chapter", "Found", "Story", "Summary", "document", "find", "summaries", "tell"]
