"""The month-end close as somebody writes it without Rowbook."""
