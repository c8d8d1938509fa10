"""The scripts, oldest first. A script that was released is never changed."""
