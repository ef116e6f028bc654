# A shop with Sinatra:
#   CHECKSTAND_KEY=sk_test_… WEBHOOK_SECRET=whsec_… ruby examples/ruby/shop.rb
require 'base64'
require 'json'
require 'net/http'
require 'openssl'
require 'sinatra/base'

class Shop < Sinatra::Base
  set :port, Integer(ENV.fetch('PORT', '8001'))
  set :bind, '127.0.0.1'
  set :server, 'puma'
  set :show_exceptions, false

  API = "#{ENV.fetch('CHECKSTAND_URL', 'http://localhost:4242')}/c/api/instances/default"
  # Orders by their number. A shop has a database in its place.
  ORDERS = {}

  get '/' do
    '<form action="/buy" method="post"><button>Buy coffee, €24.00</button></form>'
  end

  post '/buy' do
    number = "order-#{Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond)}"
    options = {
      amount: '24.00',
      currency: 'EUR',
      name: 'Two bags of coffee',
      alt_key: number,
      success_url: "http://127.0.0.1:#{settings.port}/thanks?order=#{number}",
      skip_receipt: true
    }
    # With its number as the key, an order never makes a second link.
    link = ask(Net::HTTP::Post, '/payment_links', { payment_link: { options: options } }, number)['payment_link']
    ORDERS[number] = { link: link['id'], isPaid: false }
    redirect link['url'], 303
  end

  post '/hooks' do
    event = verify(request.body.read, ENV.fetch('WEBHOOK_SECRET'))
    halt 400 if event.nil?
    if event['type'] == 'payment_link.payment_success'
      id = event['data']['payment_link']['id']
      ORDERS.each_value { |order| order[:isPaid] = true if order[:link] == id }
    end
    204
  end

  # The address is the payer's, and may be made up: the API says whether the order is paid.
  get '/thanks' do
    order = ORDERS[params['order']]
    halt 404, 'There is no such order' if order.nil?
    status = ask(Net::HTTP::Get, "/payment_links/#{order[:link]}")['payment_link']['status']
    status == 'PAYMENT_SUCCESS' ? 'Paid. Thank you!' : 'Not paid yet'
  end

  get '/orders/:number' do
    content_type :json
    ORDERS[params['number']].to_json
  end

  helpers do
    # Calls the API. Returns the decoded answer, and raises for an error.
    def ask(kind, path, body = nil, key = nil)
      uri = URI(API + path)
      http = Net::HTTP.new(uri.host, uri.port)
      http.use_ssl = uri.scheme == 'https'
      request = kind.new(uri, 'Content-Type' => 'application/json')
      request.basic_auth(ENV.fetch('CHECKSTAND_KEY'), '')
      request['Idempotency-Key'] = key if key
      request.body = body.to_json if body
      answer = http.request(request)
      raise "#{path}: #{answer.code} #{answer.body}" unless answer.is_a?(Net::HTTPSuccess)

      JSON.parse(answer.body)
    end

    # Returns the event of a webhook, or nil for a request that Checkstand did not sign (Standard Webhooks).
    def verify(body, secret)
      timestamp = env['HTTP_WEBHOOK_TIMESTAMP'].to_s
      return nil if (Time.now.to_i - timestamp.to_i).abs > 300

      key = Base64.decode64(secret.delete_prefix('whsec_'))
      signed = "#{env['HTTP_WEBHOOK_ID']}.#{timestamp}.#{body}"
      expected = "v1,#{Base64.strict_encode64(OpenSSL::HMAC.digest('SHA256', key, signed))}"
      given = env['HTTP_WEBHOOK_SIGNATURE'].to_s.split
      JSON.parse(body)['event'] if given.any? { |one| Rack::Utils.secure_compare(expected, one) }
    end
  end

  run!
end
