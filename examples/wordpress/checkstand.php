<?php
/**
 * Plugin Name: Checkstand button
 * Description: [checkstand name="Course" amount="24.00" currency="EUR"] is a button that leads to a payment.
 *
 * In wp-config.php: define('CHECKSTAND_URL', 'https://pay.shop.example'); define('CHECKSTAND_KEY', 'sk_…');
 * define('CHECKSTAND_WEBHOOK_SECRET', 'whsec_…'); the webhook goes to /wp-json/checkstand/v1/hooks.
 */
defined('ABSPATH') || exit;

add_shortcode('checkstand', function ($attributes) {
    $item = shortcode_atts(['name' => 'Payment', 'amount' => '', 'currency' => 'EUR'], $attributes);
    // Signed, so that nobody changes the price on the way. In base64, since WordPress adds slashes to what is sent.
    $order = base64_encode(wp_json_encode($item));
    return sprintf(
        '<form method="post" action="%s"><input type="hidden" name="order" value="%s">' .
            '<input type="hidden" name="signature" value="%s"><button>%s</button></form>',
        esc_url(rest_url('checkstand/v1/buy')),
        esc_attr($order),
        esc_attr(wp_hash($order)),
        esc_html("{$item['name']}, {$item['amount']} {$item['currency']}")
    );
});

add_action('rest_api_init', function () {
    $open = ['methods' => 'POST', 'permission_callback' => '__return_true'];
    register_rest_route('checkstand/v1', '/buy', $open + ['callback' => 'checkstand_buy']);
    register_rest_route('checkstand/v1', '/hooks', $open + ['callback' => 'checkstand_hooks']);
});

/** Calls the API. Returns the link of the answer, or null when there is none. */
function checkstand_call(string $method, string $path, string $body = '', string $key = ''): ?array
{
    $answer = wp_remote_request(CHECKSTAND_URL . "/c/api/instances/default$path", [
        'method' => $method,
        'timeout' => 30,
        'headers' => array_filter([
            'Authorization' => 'Basic ' . base64_encode(CHECKSTAND_KEY . ':'),
            'Content-Type' => 'application/json',
            'Idempotency-Key' => $key,
        ]),
        'body' => $body,
    ]);
    if (wp_remote_retrieve_response_code($answer) !== 200) return null;
    return json_decode(wp_remote_retrieve_body($answer), true)['payment_link'];
}

function checkstand_buy($request)
{
    $order = (string) $request['order'];
    if (!hash_equals(wp_hash($order), (string) $request['signature'])) {
        return new WP_Error('order', 'Not an order of this site', ['status' => 400]);
    }
    $item = json_decode(base64_decode($order), true);
    $number = wp_generate_uuid4();
    $options = array_filter($item) + ['alt_key' => $number, 'success_url' => home_url("/?checkstand=$number")];
    // With its number as the key, an order never makes a second link.
    $link = checkstand_call('POST', '/payment_links', wp_json_encode(['payment_link' => ['options' => $options]]), $number);
    if (!$link) return new WP_Error('checkstand', 'The payment page is not there now', ['status' => 502]);
    add_option("checkstand_$number", ['link' => $link['id'], 'isPaid' => false], '', 'no');
    wp_redirect($link['url'], 303);
    exit;
}

// The address is the payer's, and may be made up: the API says whether the order is paid.
add_action('template_redirect', function () {
    if (!isset($_GET['checkstand'])) return;
    $order = get_option('checkstand_' . sanitize_key($_GET['checkstand']));
    if (!$order) wp_die('There is no such order', 'Payment', ['response' => 404]);
    $link = checkstand_call('GET', "/payment_links/{$order['link']}");
    $isPaid = ($link['status'] ?? '') === 'PAYMENT_SUCCESS';
    wp_die($isPaid ? 'Paid. Thank you!' : 'Not paid yet', 'Payment', ['response' => 200]);
});

/** Standard Webhooks: the signature covers the id, the time and the bytes of the body. */
function checkstand_hooks($request)
{
    $timestamp = (string) $request->get_header('webhook-timestamp');
    $signed = $request->get_header('webhook-id') . ".$timestamp." . $request->get_body();
    $key = base64_decode(substr(CHECKSTAND_WEBHOOK_SECRET, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    $isSigned = false;
    foreach (explode(' ', (string) $request->get_header('webhook-signature')) as $signature) {
        $isSigned = hash_equals($expected, $signature) || $isSigned;
    }
    if (!$isSigned || abs(time() - (int) $timestamp) > 300) return new WP_REST_Response(null, 400);
    $event = json_decode($request->get_body(), true)['event'];
    if ($event['type'] === 'payment_link.payment_success') {
        $link = $event['data']['payment_link'];
        $number = sanitize_key($link['options']['alt_key'] ?? '');
        $order = get_option("checkstand_$number");
        if ($order && $order['link'] === $link['id'] && !$order['isPaid']) {
            update_option("checkstand_$number", ['isPaid' => true] + $order);
            do_action('checkstand_paid', $number, $link);
        }
    }
    return new WP_REST_Response(null, 204);
}
