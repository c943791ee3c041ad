"""The version of the package, in the one place that the build and the client read."""

VERSION = "0.1.0"
