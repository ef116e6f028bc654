import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../root.ts'
import { TEST_ACCOUNTS, TEST_CARDS, withoutSpaces } from './test-cards.ts'
import { operationSteps, disputeOf, type Scenario, unsupportedBy } from './scenarios.ts'

const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const NUMBERS = /\b(?:3782 ?822463 ?10005|[0-9]{4}(?: ?[0-9]{4}){3})\b/g
const IBANS = /\b[A-Z]{2}[0-9]{2} ?SAND(?: ?[0-9]{4}){3} ?[0-9]{2}\b/g
const found = (text: string, pattern: RegExp) => (text.match(pattern) ?? []).map(withoutSpaces)

const testing = read('docs/testing.md')

/** The first cells of the tables below a heading of docs/testing.md. */
function tabled(heading: string): string[] {
  const section = testing.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  return section
    .split('\n')
    .filter((line) => /^\| [A-Z0-9]/.test(line))
    .map((line) => withoutSpaces(line.split('|')[1] ?? ''))
    .filter((cell) => /[0-9]/.test(cell))
}

/** The section of the documentation that lists numbers of a scenario. */
function sectionOf(scenario: Scenario): string {
  if (disputeOf(scenario)) return 'Disputes'
  for (const [kind, section] of [
    ['REFUND', 'Refunds'],
    ['CAPTURE', 'Captures'],
    ['VOID', 'Voids'],
  ] as const) {
    const { first } = operationSteps(kind, scenario)
    const isOrdinary =
      first !== 'LOST' && first.state === 'APPROVED' && !operationSteps(kind, scenario).isSilent
    const isLimited = unsupportedBy(scenario).some((name) => name.includes(kind.toLowerCase()))
    if (!isOrdinary || isLimited) return section
  }
  return 'Payments'
}

describe('docs/testing.md', () => {
  it('lists every test card once, in the section of the operation that it affects', () => {
    const sections = ['Payments', 'Stored cards', 'Refunds', 'Captures', 'Voids', 'Disputes']
    const rows = sections.flatMap((section) => tabled(section))
    expect(rows.toSorted()).toEqual(Object.keys(TEST_CARDS).toSorted())
    for (const [number, scenario] of Object.entries(TEST_CARDS)) {
      const section = sectionOf(scenario)
      const expected = section === 'Payments' ? ['Payments', 'Stored cards'] : [section]
      expect(expected, number).toContain(sections.find((name) => tabled(name).includes(number)))
    }
  })

  it('lists every test account once', () => {
    expect(tabled('Direct debit').toSorted()).toEqual(Object.keys(TEST_ACCOUNTS).toSorted())
  })
})

describe('test numbers in other documents', () => {
  it.each(['docs/testing.md', 'README.md', 'widget/page/components/TestCards.tsx'])(
    'in %s names no number that the sandbox does not take',
    (path) => {
      const text = read(path)
      const cards = found(text, NUMBERS)
      expect(cards.length).toBeGreaterThan(3)
      for (const number of cards) expect(Object.keys(TEST_CARDS)).toContain(number)
      for (const iban of found(text, IBANS)) expect(Object.keys(TEST_ACCOUNTS)).toContain(iban)
    },
  )
})
