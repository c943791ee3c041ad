"""The command line as a shell sees it: output, messages, exit codes, files."""

from __future__ import annotations

import contextlib
import io
import json
import os
import stat
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from siftwren import cli

from .fake import FakeApi

KEY = "k" * 40


class CliTest(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        environment = {"SIFTWREN_CONFIG": str(self.directory / "siftwren" / "config.json")}
        patcher = mock.patch.dict("os.environ", environment)
        patcher.start()
        self.addCleanup(patcher.stop)
        os.environ.pop("SIFTWREN_API_URL", None)
        os.environ.pop("SIFTWREN_API_KEY", None)

    def run_cli(self, *arguments: str, stdin: str = "") -> tuple:
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            with mock.patch("sys.stdin", io.StringIO(stdin)):
                try:
                    code = cli.main(arguments)
                except SystemExit as end:
                    code = end.code
        return code, output.getvalue(), errors.getvalue()

    def api(self, *answers: tuple) -> FakeApi:
        api = FakeApi(*answers)
        api.__enter__()
        self.addCleanup(api.__exit__)
        os.environ.update(SIFTWREN_API_URL=api.url, SIFTWREN_API_KEY=KEY)
        return api

    def write(self, name: str, text: str) -> str:
        path = self.directory / name
        path.write_text(text, "utf-8")
        return str(path)

    def test_answers_are_json_on_standard_output(self) -> None:
        self.api((200, {"datasets": [{"dataset_name": "café"}]}))
        code, output, errors = self.run_cli("datasets", "list")
        self.assertEqual((code, json.loads(output), errors), (0, [{"dataset_name": "café"}], ""))

    def test_commands_reach_their_calls(self) -> None:
        file = self.write("config.json", '{"name": "x"}')
        active = {"status": "ACTIVE", "models": [], "datasets": []}
        cases = [
            (["ping"], "GET", "/v1/ping", None),
            (["datasets", "get", "d"], "GET", "/v1/datasets/d", None),
            (["datasets", "create", file], "POST", "/v1/datasets/", {"name": "x"}),
            (["datasets", "wait", "d"], "GET", "/v1/datasets/d", None),
            (["datasets", "delete", "d"], "DELETE", "/v1/datasets/d", None),
            (["models", "list"], "GET", "/v1/models", None),
            (["models", "get", "m"], "GET", "/v1/models/m", None),
            (["models", "create", file], "POST", "/v1/models", {"name": "x"}),
            (["models", "wait", "m"], "GET", "/v1/models/m", None),
            (["models", "delete", "m"], "DELETE", "/v1/models/m", None),
            (
                ["retrieve", "m", "--text", "tent", "--limit", "2", "--metadata"],
                "POST",
                "/v1/models/m/retrieve",
                {"text_query": "tent", "return_metadata": True, "config": {"limit": 2}},
            ),
        ]
        for arguments, *expected in cases:
            with self.subTest(arguments=arguments):
                api = self.api((200, active))
                self.assertEqual(self.run_cli(*arguments)[0], 0)
                self.assertEqual([(r.method, r.path, r.body) for r in api.requests], [tuple(expected)])

    def test_insert_reads_lists_lines_and_standard_input(self) -> None:
        rows = [{"x": 1}, {"x": 2}]
        lines = "\n".join(json.dumps(row) for row in rows) + "\n\n"
        cases = [
            (self.write("list.json", json.dumps(rows)), ""),
            (self.write("data.json", json.dumps({"data": rows})), ""),
            (self.write("rows.ndjson", lines), ""),
            ("-", lines),
        ]
        for file, stdin in cases:
            with self.subTest(file=file):
                api = self.api((200, {"message": "ok"}))
                code, output, _ = self.run_cli("datasets", "insert", "d", file, stdin=stdin)
                self.assertEqual((code, json.loads(output)), (0, {"rows": 2}))
                self.assertEqual([request.body for request in api.requests], [{"data": rows}])

    def test_a_bad_line_is_named_together_with_the_rows_before_it(self) -> None:
        self.api((200, {"message": "ok"}))
        file = self.write("rows.ndjson", '{"x": 1}\n{"x": 2}\n{"x": }\n')
        code, _, errors = self.run_cli("datasets", "insert", "d", file, "--batch-size", "1")
        self.assertEqual(code, 2)
        self.assertIn("1 rows were stored before the error", errors)
        self.assertIn("rows.ndjson:3:7: not JSON", errors)

    def test_wrong_input_is_exit_code_2(self) -> None:
        self.api((200, {}))
        for arguments in (
            ["datasets", "create", str(self.directory / "absent.json")],
            ["datasets", "create", self.write("list.json", "[]")],
            ["datasets", "insert", "d", self.write("rows.csv", "x\n1\n")],
            ["datasets", "insert", "d", self.write("text.json", '"text"')],
            ["datasets", "insert", "d", self.write("nan.json", '[{"x": NaN}]')],
            ["retrieve", "m"],
            ["nonsense"],
            ["--api-url", "ftp://x", "ping"],
        ):
            with self.subTest(arguments=arguments):
                code, output, errors = self.run_cli(*arguments)
                self.assertEqual((code, output), (2, ""))
                self.assertNotEqual(errors, "")

    def test_a_refusal_is_exit_code_1_and_no_connection_is_3(self) -> None:
        self.api((404, {"detail": "there is no model 'm'"}))
        self.assertEqual(self.run_cli("models", "get", "m"), (1, "", "siftwren: 404: there is no model 'm'\n"))
        os.environ["SIFTWREN_API_URL"] = "http://127.0.0.1:1/v1"
        self.assertEqual(self.run_cli("--retries", "0", "ping")[0], 3)

    def test_init_stores_what_later_calls_use(self) -> None:
        api = self.api((200, {"models": []}))
        del os.environ["SIFTWREN_API_URL"], os.environ["SIFTWREN_API_KEY"]
        code, output, _ = self.run_cli("init", stdin=f"{api.url}/\n{KEY}\n")
        file = Path(json.loads(output)["written"])
        self.assertEqual((code, file), (0, Path(os.environ["SIFTWREN_CONFIG"])))
        self.assertNotIn(KEY, output)
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        self.assertEqual(self.run_cli("models", "list")[0], 0)
        self.assertEqual(api.requests[0].key, KEY)

    def test_init_refuses_a_key_that_lost_characters(self) -> None:
        code, _, errors = self.run_cli("init", stdin="\nshort\n")
        self.assertEqual(code, 2)
        self.assertIn("this one has 5", errors)
        self.assertFalse(Path(os.environ["SIFTWREN_CONFIG"]).exists())

    def test_a_configuration_that_others_may_read_is_refused(self) -> None:
        self.run_cli("init", stdin=f"\n{KEY}\n")
        os.chmod(os.environ["SIFTWREN_CONFIG"], 0o644)
        code, _, errors = self.run_cli("models", "list")
        self.assertEqual(code, 2)
        self.assertIn("chmod 600", errors)

    def test_a_broken_configuration_is_refused(self) -> None:
        self.run_cli("init", stdin=f"\n{KEY}\n")
        for text in ("{", '{"api_kei": "x"}', "[]"):
            Path(os.environ["SIFTWREN_CONFIG"]).write_text(text, "utf-8")
            code, _, errors = self.run_cli("models", "list")
            self.assertEqual(code, 2)
            self.assertIn("siftwren init", errors)

    def test_a_stored_key_is_not_sent_to_another_address(self) -> None:
        self.run_cli("init", stdin=f"http://127.0.0.1:1/v1\n{KEY}\n")
        api = self.api((200, {"models": []}))
        del os.environ["SIFTWREN_API_KEY"]
        self.assertEqual(self.run_cli("models", "list")[0], 0)
        self.assertIsNone(api.requests[0].key)

    def test_the_environment_comes_before_the_file(self) -> None:
        self.run_cli("init", stdin=f"http://127.0.0.1:1/v1\n{'f' * 40}\n")
        api = self.api((200, {"models": []}))
        self.run_cli("models", "list")
        self.assertEqual(api.requests[0].key, KEY)


if __name__ == "__main__":
    unittest.main()
