"""Workbooks: sheets of xlsx, xlsm, xlsb, xls and ods files."""
