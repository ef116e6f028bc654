"""A shop with Django in one file:

    CHECKSTAND_KEY=sk_test_… WEBHOOK_SECRET=whsec_… python3 examples/django/shop.py
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
import urllib.request

from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

PORT = os.environ.get("PORT", "8001")
SHOP = f"http://127.0.0.1:{PORT}"
API = os.environ.get("CHECKSTAND_URL", "http://localhost:4242") + "/c/api/instances/default"
# Orders by their number. A shop has a database in its place.
orders = {}


def call(method, where, body=None, key=None):
    """Calls the API. Returns the decoded answer, and raises for an error."""
    secret = os.environ["CHECKSTAND_KEY"] + ":"
    headers = {"Authorization": "Basic " + base64.b64encode(secret.encode()).decode()}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if key is not None:
        headers["Idempotency-Key"] = key
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(API + where, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def verify(body, headers, secret):
    """Returns the event of a webhook, or None for a request that Checkstand did not sign (Standard Webhooks)."""
    timestamp = headers.get("webhook-timestamp", "0")
    if abs(time.time() - int(timestamp)) > 300:
        return None
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    if any(hmac.compare_digest(expected, signature) for signature in signatures):
        return json.loads(body)["event"]
    return None


def home(request):
    return HttpResponse('<form action="/buy" method="post"><button>Buy coffee, €24.00</button></form>')


@csrf_exempt
@require_POST
def buy(request):
    number = f"order-{time.time_ns()}"
    options = {
        "amount": "24.00",
        "currency": "EUR",
        "name": "Two bags of coffee",
        "alt_key": number,
        "success_url": f"{SHOP}/thanks?order={number}",
        "skip_receipt": True,
    }
    # With its number as the key, an order never makes a second link.
    link = call("POST", "/payment_links", {"payment_link": {"options": options}}, number)["payment_link"]
    orders[number] = {"link": link["id"], "isPaid": False}
    return HttpResponseRedirect(link["url"])


@csrf_exempt
@require_POST
def hooks(request):
    event = verify(request.body, request.headers, os.environ["WEBHOOK_SECRET"])
    if event is None:
        return HttpResponse(status=400)
    if event["type"] == "payment_link.payment_success":
        for order in orders.values():
            if order["link"] == event["data"]["payment_link"]["id"]:
                order["isPaid"] = True
    return HttpResponse(status=204)


def thanks(request):
    """The address is the payer's, and may be made up: the API says whether the order is paid."""
    order = orders.get(request.GET.get("order", ""))
    if order is None:
        return HttpResponse("There is no such order", status=404)
    status = call("GET", f"/payment_links/{order['link']}")["payment_link"]["status"]
    return HttpResponse("Paid. Thank you!" if status == "PAYMENT_SUCCESS" else "Not paid yet")


def one(request, number):
    return JsonResponse(orders.get(number), safe=False)


urlpatterns = [
    path("", home),
    path("buy", buy),
    path("hooks", hooks),
    path("thanks", thanks),
    path("orders/<str:number>", one),
]

settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["127.0.0.1"], SECRET_KEY=os.urandom(32).hex())

if __name__ == "__main__":
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", f"127.0.0.1:{PORT}"])
