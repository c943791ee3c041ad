"""Tests of the client and the command line, against a server inside the test process."""
