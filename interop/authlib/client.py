"""A relying party that uses Authlib: `client.py ADDRESS ISSUER CLIENT_ID CLIENT_SECRET`."""

import json
import secrets
import sys

from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt
from authlib.oidc.core import CodeIDToken
from flask import Flask, redirect, request, session
import requests

address, issuer, client_id, client_secret = sys.argv[1:5]
app = Flask(__name__)
app.secret_key = secrets.token_hex()
app.config.update(SESSION_COOKIE_NAME="authlib")

metadata = requests.get(f"{issuer}/.well-known/openid-configuration").json()
ended = set()


def oauth(**options):
    return OAuth2Session(
        client_id,
        client_secret,
        scope="openid email profile groups offline_access",
        redirect_uri=f"{address}/callback",
        token_endpoint_auth_method="client_secret_post",
        code_challenge_method="S256",
        **options,
    )


def verify(token, nonce=None):
    keys = JsonWebKey.import_key_set(requests.get(metadata["jwks_uri"]).json())
    options = {"iss": {"value": issuer}, "aud": {"value": client_id}}
    claims = jwt.decode(token, keys, claims_cls=CodeIDToken, claims_options=options, claims_params={"nonce": nonce})
    claims.validate()
    return claims


@app.get("/private")
def private():
    person = session.get("person")
    if person and person["sid"] not in ended:
        return f"signed in as {person['email']}"
    verifier, nonce = secrets.token_urlsafe(48), secrets.token_hex()
    url, state = oauth().create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce, **request.args
    )
    session["begun"] = {"state": state, "verifier": verifier, "nonce": nonce}
    return redirect(url)


@app.get("/callback")
def callback():
    begun = session.pop("begun")
    if "error" in request.args:
        return f"error {request.args['error']}"
    if request.args["iss"] != issuer:
        return "another issuer", 400
    client = oauth(state=begun["state"])
    token = client.fetch_token(
        metadata["token_endpoint"], authorization_response=request.url, code_verifier=begun["verifier"]
    )
    claims = verify(token["id_token"], begun["nonce"])
    session["person"] = {"email": claims["email"], "sid": claims["sid"], "auth_time": claims["auth_time"]}
    session["token"] = dict(token)
    return redirect("/private")


@app.get("/refresh")
def refresh():
    former = session["token"]
    token = dict(oauth(token=former).refresh_token(metadata["token_endpoint"], former["refresh_token"]))
    session["token"] = {**former, **token}
    return f"refreshed {former['access_token'] != token['access_token']}"


@app.get("/userinfo")
def userinfo():
    answer = oauth(token=session["token"]).get(metadata["userinfo_endpoint"])
    return json.dumps({"status": answer.status_code, "body": answer.json()})


@app.get("/logout")
def logout():
    token = session.pop("token")
    session.pop("person")
    query = {"id_token_hint": token["id_token"], "post_logout_redirect_uri": f"{address}/bye"}
    return redirect(requests.Request("GET", metadata["end_session_endpoint"], params=query).prepare().url)


@app.get("/bye")
def bye():
    return "signed out"


@app.post("/backchannel")
def backchannel():
    keys = JsonWebKey.import_key_set(requests.get(metadata["jwks_uri"]).json())
    claims = jwt.decode(request.form["logout_token"], keys)
    if claims["iss"] != issuer or claims["aud"] != client_id or "nonce" in claims:
        return "refused", 400
    if "http://schemas.openid.net/event/backchannel-logout" not in claims["events"]:
        return "refused", 400
    ended.add(claims["sid"])
    return ""


app.run(port=int(address.rsplit(":", 1)[1]))
