import { parseArgs } from 'node:util'
import { serveStripeScript } from '../test/stripe-fake/serve-script.ts'
import { startStripeFake } from '../test/stripe-fake/start.ts'

const HELP = `npm run stripe:fake [-- --port 12111]

Starts a stand-in for Stripe on this machine, with an account in memory that moves no money, and prints
how to connect a server to it. The stand-in for Stripe.js is at the next port. Runs until Ctrl-C.`

const say = (line: string) => process.stdout.write(`${line}\n`)

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '12111' },
    help: { type: 'boolean' },
  },
})
const port = Number(values.port)
if (values.help || !Number.isInteger(port) || port < 1 || port > 65_534) {
  say(HELP)
  process.exit(values.help ? 0 : 2)
}

const fake = await startStripeFake({ port })
const { scriptUrl, close } = await serveStripeScript(fake.url, port + 1)
say(`The stand-in for Stripe runs at ${fake.url}

In another terminal, start the server with it:

  export STRIPE_API_URL=${fake.url} STRIPE_JS_URL=${scriptUrl}
  npm start

Connect the demo's merchant in the console, below Settings, Processors, with these keys:

  ${fake.secretKey}
  ${fake.publishableKey}

or in a third terminal:

  export STRIPE_API_URL=${fake.url} STRIPE_JS_URL=${scriptUrl}
  printf 'secret_key=${fake.secretKey}\\npublishable_key=${fake.publishableKey}\\n' |
    node dist/server/main.js processor add stripe

Then open a payment link and pay with a card of Stripe's test mode, such as 4242 4242 4242 4242.`)

process.once('SIGINT', () => {
  close()
  void fake.close()
})
