"""The local web app: load, choose, see, compare, publish. It makes the same Python calls as the command does.

The process that serves the page never holds the table: a worker process does (``worker``), which is told what to do
over a pipe and can be ended at any time.
"""
