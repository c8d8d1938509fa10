"""Workspaces for newcomers: templates with data, and how one is put into a folder."""
