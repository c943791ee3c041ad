"""The client as its callers see it: requests, answers, errors, retries."""

from __future__ import annotations

import builtins
import socket
import unittest
from unittest import mock

import siftwren
from siftwren import client as client_module

from .fake import HANG_UP, FakeApi

KEY = "k" * 40
UNAVAILABLE = (503, {"status": 503, "title": "Service Unavailable", "detail": "busy"})


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        patcher = mock.patch.object(client_module.time, "sleep")
        self.sleep = patcher.start()
        self.addCleanup(patcher.stop)

    def api(self, *answers: tuple) -> tuple:
        api = FakeApi(*answers)
        api.__enter__()
        self.addCleanup(api.__exit__)
        return api, siftwren.Client(api.url, KEY)

    def test_each_call_has_its_method_path_and_body(self) -> None:
        cases = [
            (lambda c: c.ping(), "GET", "/v1/ping", None),
            (lambda c: c.liveness(), "GET", "/v1/liveness", None),
            (lambda c: c.create_dataset({"name": "d"}), "POST", "/v1/datasets/", {"name": "d"}),
            (lambda c: c.list_datasets(), "GET", "/v1/datasets/", None),
            (lambda c: c.get_dataset("a/b c"), "GET", "/v1/datasets/a%2Fb%20c", None),
            (lambda c: c.insert("d", [{"x": 1}]), "POST", "/v1/datasets/d/insert", {"data": [{"x": 1}]}),
            (lambda c: c.delete_dataset("d"), "DELETE", "/v1/datasets/d", None),
            (lambda c: c.create_model({"model": {}}), "POST", "/v1/models", {"model": {}}),
            (lambda c: c.list_models(), "GET", "/v1/models", None),
            (lambda c: c.get_model("m"), "GET", "/v1/models/m", None),
            (lambda c: c.delete_model("m"), "DELETE", "/v1/models/m", None),
            (
                lambda c: c.retrieve("m", "tent", limit=3, return_metadata=True),
                "POST",
                "/v1/models/m/retrieve",
                {"text_query": "tent", "return_metadata": True, "config": {"limit": 3}},
            ),
        ]
        for call, method, path, body in cases:
            with self.subTest(path=path, method=method):
                api, client = self.api((200, {"datasets": [], "models": []}))
                call(client)
                self.assertEqual(api.requests, [(method, path, KEY, body)])

    def test_a_refusal_becomes_the_error_of_its_status(self) -> None:
        detail = [{"loc": ["header", "x-api-key"], "msg": "must have 40 characters", "type": "length"}]
        cases = [
            (400, {"title": "Bad Request", "detail": "not active"}, siftwren.BadRequestError, "400: not active"),
            (401, {"title": "Unauthorized"}, siftwren.AuthenticationError, "401: Unauthorized"),
            (403, {"detail": "search only"}, siftwren.PermissionDeniedError, "403: search only"),
            (404, {"detail": "no such model"}, siftwren.NotFoundError, "404: no such model"),
            (409, {"detail": "taken"}, siftwren.ConflictError, "409: taken"),
            (413, {"detail": "too large"}, siftwren.APIError, "413: too large"),
            (422, {"detail": detail}, siftwren.ValidationError, "422: header.x-api-key: must have 40 characters"),
            (500, b"<html>", siftwren.ServerError, "500: Internal Server Error"),
        ]
        for status, body, error_class, message in cases:
            with self.subTest(status=status):
                _, client = self.api((status, body))
                with self.assertRaises(error_class) as caught:
                    client.list_models()
                self.assertIs(type(caught.exception), error_class)
                self.assertEqual(str(caught.exception), message)
                if status == 422:
                    self.assertEqual(caught.exception.detail, detail)

    def test_safe_calls_are_repeated_after_503_and_after_a_lost_connection(self) -> None:
        for failure in (UNAVAILABLE, HANG_UP):
            api, client = self.api(failure, failure, (200, {"ids": ["p1"]}))
            self.assertEqual(client.retrieve("m", "tent"), {"ids": ["p1"]})
            self.assertEqual(len(api.requests), 3)
        pauses = [call.args[0] for call in self.sleep.call_args_list]
        self.assertTrue(0.25 <= pauses[0] <= 0.5 <= pauses[1] <= 1.0, pauses)

    def test_a_pause_that_the_server_asks_for_is_kept_within_reason(self) -> None:
        for wish, pause in ((5, 5), (86400, 30)):
            _, client = self.api((503, {"wish": wish}), (200, {}))
            client.ping()
            self.assertEqual(self.sleep.call_args.args[0], pause)

    def test_retries_end(self) -> None:
        api, client = self.api(UNAVAILABLE)
        with self.assertRaises(siftwren.ServerError):
            client.list_models()
        self.assertEqual(len(api.requests), 3)

    def test_other_refusals_are_not_repeated(self) -> None:
        for status in (400, 404, 422, 429, 500):
            api, client = self.api((status, {}))
            with self.assertRaises(siftwren.APIError):
                client.list_models()
            self.assertEqual(len(api.requests), 1)

    def test_calls_that_change_something_are_sent_once(self) -> None:
        for call in (
            lambda c: c.create_dataset({}),
            lambda c: c.create_model({}),
            lambda c: c.insert("d", [{}]),
            lambda c: c.delete_dataset("d"),
            lambda c: c.delete_model("d"),
        ):
            for failure, error in ((UNAVAILABLE, siftwren.ServerError), (HANG_UP, siftwren.ConnectionError)):
                api, client = self.api(failure)
                with self.assertRaises(error):
                    call(client)
                self.assertEqual(len(api.requests), 1)

    def test_insert_repeats_a_batch_when_told_that_it_may(self) -> None:
        api, client = self.api(HANG_UP, (200, {"message": "ok"}))
        self.assertEqual(client.insert("d", [{"x": 1}], retry=True), 1)
        self.assertEqual(api.requests[0], api.requests[1])

    def test_insert_sends_batches_limited_by_rows_and_bytes(self) -> None:
        api, client = self.api((200, {}))
        self.assertEqual(client.insert("d", ({"x": n} for n in range(5)), batch_size=2), 5)
        self.assertEqual([len(request.body["data"]) for request in api.requests], [2, 2, 1])
        with mock.patch.object(client_module, "MAX_BATCH_BYTES", 20):
            client.insert("d", [{"x": "0123456789"}] * 2)
        self.assertEqual([len(request.body["data"]) for request in api.requests[3:]], [1, 1])

    def test_insert_without_rows_sends_nothing(self) -> None:
        api, client = self.api((200, {}))
        self.assertEqual(client.insert("d", []), 0)
        self.assertEqual(api.requests, [])

    def test_an_error_says_how_many_rows_were_stored_before_it(self) -> None:
        _, client = self.api((200, {}), (422, {"detail": []}))
        with self.assertRaises(siftwren.ValidationError) as caught:
            client.insert("d", [{}] * 4, batch_size=3)
        self.assertEqual(caught.exception.rows_sent, 3)

    def test_waiting_ends_with_active_with_error_and_with_time(self) -> None:
        active = {"status": "ACTIVE", "name": "m"}
        _, client = self.api((200, {"status": "TRAINING"}), (200, active))
        self.assertEqual(client.wait_for_model("m"), active)
        _, client = self.api((200, {"status": "ERROR", "error_message": "no items"}))
        with self.assertRaisesRegex(siftwren.WaitError, "model 'm' failed: no items"):
            client.wait_for_model("m")
        _, client = self.api((200, {"status": "DEPLOYING"}))
        with self.assertRaisesRegex(siftwren.WaitError, "dataset 'd' is still DEPLOYING after 0 seconds"):
            client.wait_for_dataset("d", timeout=0)

    def test_a_dead_address_is_a_connection_error_and_python_s_own_too(self) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            client = siftwren.Client(f"http://127.0.0.1:{taken.getsockname()[1]}/v1", retries=0)
            with self.assertRaises(siftwren.ConnectionError) as caught:
                client.ping()
        self.assertIsInstance(caught.exception, builtins.ConnectionError)

    def test_a_silent_server_ends_in_a_connection_error(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            client = siftwren.Client(f"http://127.0.0.1:{silent.getsockname()[1]}/v1", timeout=0.1, retries=0)
            with self.assertRaisesRegex(siftwren.ConnectionError, "timed out"):
                client.ping()

    def test_a_redirect_is_reported_and_the_key_stays_here(self) -> None:
        api, client = self.api((302, {}))
        with self.assertRaisesRegex(siftwren.APIError, "302"):
            client.list_models()
        self.assertEqual(len(api.requests), 1)

    def test_an_answer_that_is_not_json_names_the_address(self) -> None:
        _, client = self.api((200, b"<html>hello</html>"))
        with self.assertRaisesRegex(siftwren.APIError, "is this the address of the API"):
            client.ping()

    def test_address_and_key_come_from_the_environment(self) -> None:
        api, _ = self.api((200, {}))
        with mock.patch.dict("os.environ", {"SIFTWREN_API_URL": api.url + "/", "SIFTWREN_API_KEY": KEY}):
            siftwren.Client().ping()
        self.assertEqual(api.requests[0][1:3], ("/v1/ping", KEY))

    def test_wrong_arguments_are_refused_at_once(self) -> None:
        for arguments in ({"api_url": "ftp://x"}, {"api_url": "http://"}, {"api_key": "k\n"}, {"api_key": "schlüssel"}):
            with self.assertRaises(ValueError):
                siftwren.Client(**arguments)

    def test_the_key_is_not_part_of_any_text_form(self) -> None:
        self.assertNotIn(KEY, repr(siftwren.Client("http://127.0.0.1/v1", KEY)))


if __name__ == "__main__":
    unittest.main()
