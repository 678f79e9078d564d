"""A service provider on pysaml2: /private needs a session, /slo ends it, /metadata describes it."""

import http.cookies
import json
import logging
import secrets
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT, BINDING_SOAP
from saml2.client import Saml2Client
from saml2.config import Config
from saml2.metadata import entity_descriptor
from saml2.xmldsig import DIGEST_SHA256, SIG_RSA_SHA256

folder, base = sys.argv[1], sys.argv[2]
options = json.loads(sys.argv[3]) if len(sys.argv) > 3 else {}

if "clock" in options:
    # The clock of this service provider is wrong by that many seconds.
    true_time, true_gmtime = time.time, time.gmtime
    time.time = lambda: true_time() + options["clock"]
    time.gmtime = lambda seconds=None: true_gmtime(time.time() if seconds is None else seconds)

logging.basicConfig(filename=f"{folder}/pysaml2.log", level=logging.INFO)


def make_client():
    config = Config()
    config.load(
        {
            "entityid": f"{base}/metadata",
            "xmlsec_binary": "/usr/bin/xmlsec1",
            "key_file": f"{folder}/key.pem",
            "cert_file": f"{folder}/cert.pem",
            "encryption_keypairs": [{"key_file": f"{folder}/key.pem", "cert_file": f"{folder}/cert.pem"}],
            "metadata": {"local": [f"{folder}/idp.xml"]},
            "allow_unknown_attributes": True,
            "service": {
                "sp": {
                    "endpoints": {
                        "assertion_consumer_service": [(f"{base}/acs", BINDING_HTTP_POST)],
                        "single_logout_service": [
                            (f"{base}/slo", binding)
                            for binding in options.get("logout", [BINDING_HTTP_REDIRECT, BINDING_HTTP_POST])
                        ],
                    },
                    "authn_requests_signed": True,
                    "logout_requests_signed": True,
                    "logout_responses_signed": True,
                    "allow_unsolicited": False,
                    "want_assertions_signed": options.get("want_assertions_signed", False),
                    "want_response_signed": options.get("want_response_signed", False),
                    "want_assertions_or_response_signed": True,
                }
            },
        }
    )
    return Saml2Client(config)


# Its own default is SHA-1.
algorithms = {"sign_alg": SIG_RSA_SHA256, "digest_alg": DIGEST_SHA256}

lock = threading.Lock()
client = make_client()
sessions = {}
pending = {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        logging.info("%s", arguments)

    def send(self, status, body="", headers=()):
        payload = body.encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def session(self):
        cookie = http.cookies.SimpleCookie(self.headers.get("cookie", "")).get("pysaml2")
        return cookie.value if cookie else None

    def fields(self):
        if self.command == "GET":
            text = urllib.parse.urlparse(self.path).query
        else:
            text = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        self.raw = text
        return {name: values[0] for name, values in urllib.parse.parse_qs(text).items()}

    def do_POST(self):
        self.answer()

    def do_GET(self):
        self.answer()

    def answer(self):
        global client
        path = urllib.parse.urlparse(self.path).path
        fields = self.fields()
        try:
            with lock:
                if path == "/metadata":
                    return self.send(200, str(entity_descriptor(client.config)))
                if path == "/reload":
                    client = make_client()
                    return self.send(200, "reloaded")
                if path == "/private":
                    return self.private()
                if path == "/acs":
                    return self.acs(fields)
                if path == "/logout":
                    return self.logout()
                if path == "/slo":
                    return self.slo(fields)
            self.send(404)
        except Exception as error:  # The message is what the test reports.
            logging.exception("failed")
            self.send(500, f"pysaml2 failed: {type(error).__name__} {error}")

    def private(self):
        name = sessions.get(self.session())
        if name:
            return self.send(200, f"signed in as {name.text}")
        request, info = client.prepare_for_authenticate(
            relay_state="private",
            binding=BINDING_HTTP_REDIRECT,
            sign=options.get("sign", True),
            sigalg=SIG_RSA_SHA256
        )
        pending[request] = "/private"
        self.send(303, headers=info["headers"])

    def acs(self, fields):
        response = client.parse_authn_request_response(fields["SAMLResponse"], BINDING_HTTP_POST, pending)
        pending.pop(response.in_response_to, None)
        key = secrets.token_urlsafe()
        sessions[key] = response.get_subject()
        logging.info("attributes %s", response.ava)
        self.send(303, headers=[("location", "/private"), ("set-cookie", f"pysaml2={key}; HttpOnly; Path=/")])

    def logout(self):
        name = sessions.pop(self.session(), None)
        if not name:
            return self.send(200, "signed out")
        [(binding, info)] = client.global_logout(name, **algorithms).values()
        if binding == BINDING_HTTP_REDIRECT:
            return self.send(303, headers=info["headers"])
        self.send(200, "".join(info["data"]))

    def slo(self, fields):
        if self.headers.get("soapaction") is not None:
            body = self.raw
            name = client.parse_logout_request(body, BINDING_SOAP).message.name_id
            self.end(name)
            info = client.handle_logout_request(body, name, BINDING_SOAP, **algorithms)
            return self.send(200, info["data"])
        binding = BINDING_HTTP_REDIRECT if self.command == "GET" else BINDING_HTTP_POST
        if "SAMLResponse" in fields:
            client.parse_logout_request_response(fields["SAMLResponse"], binding)
            return self.send(200, "signed out")
        message = fields["SAMLRequest"]
        name = client.parse_logout_request(message, binding).message.name_id
        self.end(name)
        info = client.handle_logout_request(
            message, name, binding, relay_state=fields.get("RelayState", ""), **algorithms
        )
        if info["method"] == "GET":
            return self.send(303, headers=info["headers"])
        self.send(200, info["data"])

    def end(self, name):
        for key, other in list(sessions.items()):
            if other.text == name.text:
                del sessions[key]


ThreadingHTTPServer(("127.0.0.1", urllib.parse.urlparse(base).port), Handler).serve_forever()
