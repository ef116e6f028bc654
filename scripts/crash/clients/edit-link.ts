import type { Client, CrashRun } from '../crash-run.ts'
import { MARK } from '../merchants.ts'

/** Merchants who edit what they share, and translators who save wording in batches. */

/** Writes this client's member of a link's state; the members of other clients must stay. */
export async function editLink(lab: CrashRun, client: Client): Promise<void> {
  const link = client.random.pick(lab.links[client.shop])
  const value = lab.countUp(`${client.name}/${link}`)
  await client.send({
    op: 'link.edit',
    path: `/payment_links/${link}`,
    method: 'PUT',
    body: { mode: 'PATCH', payment_link: { state: { [client.name]: value } } },
    about: { link, value },
  })
}

/** Two strings of each of three sets. */
export const WORDS = [
  'checkout.title',
  'checkout.pay',
  'methods.title',
  'methods.card',
  'card.code',
  'card.number',
]

/** Saves the next generation of all of them in this client's own language. */
export async function saveWords(lab: CrashRun, client: Client): Promise<void> {
  const language = languageOf(client)
  const generation = lab.countUp(language)
  const text = `generation ${generation} ${MARK[client.shop]}`
  const strings = WORDS.map((id) => ({ id, language, text }))
  const asking = {
    op: 'strings.save',
    path: '/strings',
    body: { strings },
    about: { language, generation },
  }
  // A batch without a response is sent again before the next one, as a translation tool does.
  for (let tries = 0; tries < 5; tries += 1) {
    if ((await client.send(asking)) || client.random.chance(0.3)) return
  }
}

const LANGUAGES = ['fr', 'de', 'es', 'it', 'nl', 'pt', 'pl', 'sv']

function languageOf({ name }: Client): string {
  return LANGUAGES.at(Number(name.replace(/\D/g, '')) % LANGUAGES.length) as string
}
