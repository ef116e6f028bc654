import { describe, expect, it } from 'vitest'
import { EVENT_TYPES, type EventType } from '../../server/events/event-types.ts'
import { LOCAL_RECEIVERS } from '../webhook-receiver.ts'
import { startTestApp } from '../app.ts'
import { atEnd } from '../at-end.ts'
import { warmUp } from '../stripe-fake/connect.ts'
import { stripeEnvironment } from '../stripe-fake/environment.ts'
import { startStripeFake } from '../stripe-fake/start.ts'
import { ORIGIN } from './curl-commands.ts'
import { blocksOf, readPage, writePage } from './markdown.ts'
import { newPlaceholders } from './placeholders.ts'
import { eventScenarios } from './event-scenarios.ts'

/** Every type of event is shown as it is sent. `npm run docs` writes the examples. */

const IS_WRITING = process.env['CHECKSTAND_WRITE_DOCS'] === '1'
const EXAMPLES = 'event-examples.md'

const fake = await startStripeFake()
atEnd(() => fake.close())
await warmUp(fake)
const app = await startTestApp({
  BASE_URL: ORIGIN,
  ...LOCAL_RECEIVERS,
  ...stripeEnvironment(fake),
})
const { merchant } = app

/** Plays all stories; returns the bodies that webhooks are sent, by type. */
async function playAll(): Promise<Map<EventType, unknown>> {
  const texts = newPlaceholders()
  const examples = new Map<EventType, unknown>()
  for (const [types, happens] of eventScenarios(app, merchant, fake)) {
    app.pass(1000)
    const from = new Date(app.now()).toISOString()
    await happens()
    for (const type of EVENT_TYPES.filter((known) => types.includes(known))) {
      const { events } = (await merchant.api(`/events?criteria=type=${type},created>=${from}`)).json
      expect(events, `${type} is recorded once`).toHaveLength(1)
      examples.set(type, JSON.parse(texts.print(JSON.stringify({ event: events[0] }))))
    }
  }
  return examples
}

const HEAD = `# Event examples

One event of each type, as a webhook carries it and \`GET /events/{id}\` returns it. The page
[Events](events.md) explains each type. \`npm run docs\` writes this page.
`

function pageOf(examples: Map<EventType, unknown>): string {
  const sections = EVENT_TYPES.map((type) => {
    const body = JSON.stringify(examples.get(type), null, 2)
    return `\n## ${type}\n\n\`\`\`json event\n${body}\n\`\`\`\n`
  })
  return HEAD + sections.join('')
}

describe('the documentation', () => {
  it('shows an event of every type as it is sent (npm run docs writes them)', async () => {
    const examples = await playAll()
    expect([...examples.keys()].toSorted()).toEqual(EVENT_TYPES.toSorted())
    if (IS_WRITING) writePage(EXAMPLES, pageOf(examples))
    const shown = blocksOf(readPage(EXAMPLES)).map(({ text }) => JSON.parse(text) as unknown)
    expect(shown).toEqual(EVENT_TYPES.map((type) => examples.get(type)))
  })
})
