<?php
// A shop in plain PHP, for PHP 8.1 or newer with curl:
//   CHECKSTAND_KEY=sk_test_… WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:8001 examples/php/shop.php
declare(strict_types=1);

$shop = 'http://' . $_SERVER['HTTP_HOST'];
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);

/** Calls the API. Returns the decoded answer; throws for an error. */
function call(string $method, string $path, ?array $body = null, string $key = ''): array
{
    $request = curl_init((getenv('CHECKSTAND_URL') ?: 'http://localhost:4242') . "/c/api/instances/default$path");
    curl_setopt_array($request, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
        CURLOPT_USERPWD => getenv('CHECKSTAND_KEY') . ':',
        CURLOPT_HTTPHEADER => array_filter(['Content-Type: application/json', $key ? "Idempotency-Key: $key" : '']),
    ]);
    if ($body !== null) curl_setopt($request, CURLOPT_POSTFIELDS, json_encode($body));
    $text = curl_exec($request);
    $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
    if ($text === false || $status >= 300) throw new RuntimeException("$method $path: $status $text");
    return json_decode($text, true);
}

/** Returns the event of a webhook, or null for a request that Checkstand did not sign (Standard Webhooks). */
function verify(string $body, array $headers, string $secret): ?array
{
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (abs(time() - (int) $timestamp) > 300) return null;
    $signed = ($headers['webhook-id'] ?? '') . ".$timestamp.$body";
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) return json_decode($body, true)['event'];
    }
    return null;
}

/** Changes the orders, which are in a file. A shop has a database in its place. */
function orders(?callable $change = null): array
{
    $file = fopen(sys_get_temp_dir() . '/shop-' . getenv('PORT') . '.json', 'c+');
    flock($file, LOCK_EX);
    $orders = json_decode(stream_get_contents($file) ?: '{}', true);
    if ($change) {
        $orders = $change($orders);
        ftruncate($file, 0);
        rewind($file);
        fwrite($file, json_encode($orders));
    }
    fclose($file);
    return $orders;
}

if ($path === '/buy' && $_SERVER['REQUEST_METHOD'] === 'POST') {
    $number = 'order-' . hrtime(true);
    $options = [
        'amount' => '24.00',
        'currency' => 'EUR',
        'name' => 'Two bags of coffee',
        'alt_key' => $number,
        'success_url' => "$shop/thanks?order=$number",
        'skip_receipt' => true,
    ];
    // With its number as the key, an order never makes a second link.
    $link = call('POST', '/payment_links', ['payment_link' => ['options' => $options]], $number)['payment_link'];
    orders(fn ($orders) => [...$orders, $number => ['link' => $link['id'], 'isPaid' => false]]);
    header("Location: {$link['url']}", true, 303);
} elseif ($path === '/hooks') {
    $headers = array_change_key_case(getallheaders());
    $event = verify(file_get_contents('php://input'), $headers, getenv('WEBHOOK_SECRET'));
    http_response_code($event ? 204 : 400);
    if (($event['type'] ?? '') !== 'payment_link.payment_success') return;
    orders(fn ($orders) => array_map(
        fn ($order) => $order['link'] === $event['data']['payment_link']['id'] ? [...$order, 'isPaid' => true] : $order,
        $orders,
    ));
} elseif ($path === '/thanks') {
    // The address is the payer's, and may be made up: the API says whether the order is paid.
    $order = orders()[$_GET['order'] ?? ''] ?? null;
    if (!$order) {
        http_response_code(404);
        exit('There is no such order');
    }
    $status = call('GET', "/payment_links/{$order['link']}")['payment_link']['status'];
    echo $status === 'PAYMENT_SUCCESS' ? 'Paid. Thank you!' : 'Not paid yet';
} elseif (str_starts_with($path, '/orders/')) {
    header('Content-Type: application/json');
    echo json_encode(orders()[basename($path)] ?? null);
} else {
    echo '<form action="/buy" method="post"><button>Buy coffee, €24.00</button></form>';
}
