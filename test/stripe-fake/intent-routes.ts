import { intentAnswer } from './answers.ts'
import type { FakeClock } from './events.ts'
import { cancelIntent, captureIntent, confirmIntent, createIntent, findIntent } from './intents.ts'
import type { Account } from './objects.ts'
import { expandOf, list, newest } from './route-parts.ts'
import type { Call, Handler, RouteTable } from './route-table.ts'

export function intentRoutes(account: Account, clock: FakeClock): RouteTable {
  const onIntent = (act: (call: Call, intent: ReturnType<typeof findIntent>) => void) => {
    const handler: Handler = (call) => {
      const intent = findIntent(account, call.path['intent'] ?? '')
      act(call, intent)
      return intentAnswer(account, intent, expandOf(call))
    }
    return handler
  }
  return [
    [
      'post',
      '/v1/payment_intents',
      (call) => intentAnswer(account, createIntent(account, clock, call.body), expandOf(call)),
    ],
    [
      'get',
      '/v1/payment_intents',
      ({ query }) =>
        list(
          '/v1/payment_intents',
          newest(account.intents).map((intent) => intentAnswer(account, intent, [])),
          query,
        ),
    ],
    ['get', '/v1/payment_intents/{intent}', onIntent(() => {})],
    [
      'post',
      '/v1/payment_intents/{intent}/confirm',
      onIntent(({ body }, intent) => confirmIntent(account, clock, intent, body)),
    ],
    [
      'post',
      '/v1/payment_intents/{intent}/capture',
      onIntent(({ body }, intent) => captureIntent(account, clock, intent, body)),
    ],
    [
      'post',
      '/v1/payment_intents/{intent}/cancel',
      onIntent((_call, intent) => cancelIntent(account, clock, intent)),
    ],
  ]
}
