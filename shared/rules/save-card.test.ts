import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isMethodOffered,
  type MethodTraits,
  type SaveCardOptions,
  saveCardView,
  saveChoice,
  saveDecision,
} from './save-card.ts'

const CARD: MethodTraits = { storable: true, token_first: false }
const DEBIT: MethodTraits = { storable: true, token_first: true }
const TRANSFER: MethodTraits = { storable: false, token_first: false }

const SAVED = { ok: true, save: true, reusable: true }
const KEPT_ONCE = { ok: true, save: true, reusable: false }
const NOT_SAVED = { ok: true, save: false, reusable: false }
const NOT_OFFERED = { ok: false, reason: 'NOT_OFFERED' }
const WITHDRAWN = { ok: false, reason: 'METHOD_WITHDRAWN' }
const NOT_STORABLE = { ok: false, reason: 'METHOD_NOT_STORABLE' }

const ANY = [true, false, null, undefined]
const UNSET = [null, undefined]
const NOT_TRUE = [false, null, undefined]

const HIDDEN = { show: false, consent: false }
const SENTENCE = { show: false, consent: true }
const LOCKED = { show: true, initial: true, consent: false, locked: true }

// The server's decisions for a submitted choice of undefined, false and true.
const ROWS = [
  {
    row: 1,
    save: [true],
    fallback: ANY,
    hide: ANY,
    view: SENTENCE,
    debit: { ...SENTENCE, locked: false },
    decisions: {
      card: [SAVED, SAVED, SAVED],
      debit: [SAVED, SAVED, SAVED],
      transfer: [WITHDRAWN, WITHDRAWN, WITHDRAWN],
    },
  },
  {
    row: 2,
    save: [false],
    fallback: ANY,
    hide: ANY,
    view: HIDDEN,
    debit: LOCKED,
    decisions: {
      card: [NOT_SAVED, NOT_SAVED, NOT_OFFERED],
      debit: [WITHDRAWN, WITHDRAWN, WITHDRAWN],
      transfer: [NOT_SAVED, NOT_SAVED, NOT_STORABLE],
    },
  },
  {
    row: 3,
    save: UNSET,
    fallback: [true],
    hide: NOT_TRUE,
    view: { show: true, initial: true, consent: false },
    debit: LOCKED,
    decisions: {
      card: [NOT_SAVED, NOT_SAVED, SAVED],
      debit: [SAVED, SAVED, SAVED],
      transfer: [NOT_SAVED, NOT_SAVED, NOT_STORABLE],
    },
  },
  {
    row: 4,
    save: UNSET,
    fallback: NOT_TRUE,
    hide: NOT_TRUE,
    view: { show: true, initial: false, consent: false },
    debit: LOCKED,
    decisions: {
      card: [NOT_SAVED, NOT_SAVED, SAVED],
      debit: [KEPT_ONCE, KEPT_ONCE, KEPT_ONCE],
      transfer: [NOT_SAVED, NOT_SAVED, NOT_STORABLE],
    },
  },
  {
    row: 5,
    save: UNSET,
    fallback: [true],
    hide: [true],
    view: SENTENCE,
    debit: { ...SENTENCE, locked: false },
    decisions: {
      card: [SAVED, SAVED, SAVED],
      debit: [SAVED, SAVED, SAVED],
      transfer: [NOT_SAVED, NOT_SAVED, NOT_STORABLE],
    },
  },
  {
    row: 6,
    save: UNSET,
    fallback: NOT_TRUE,
    hide: [true],
    view: HIDDEN,
    debit: LOCKED,
    decisions: {
      card: [NOT_SAVED, NOT_SAVED, NOT_OFFERED],
      debit: [KEPT_ONCE, KEPT_ONCE, KEPT_ONCE],
      transfer: [NOT_SAVED, NOT_SAVED, NOT_STORABLE],
    },
  },
] as const

const METHODS = { card: CARD, debit: DEBIT, transfer: TRANSFER }
const NAMES = ['card', 'debit', 'transfer'] as const

function optionsOf(row: (typeof ROWS)[number]): SaveCardOptions[] {
  return row.save.flatMap((save_card) =>
    row.fallback.flatMap((default_save_card) =>
      row.hide.map((hide_save_card_toggle) => ({
        save_card,
        default_save_card,
        hide_save_card_toggle,
      })),
    ),
  )
}

const choices = fc.constantFrom(...ANY)
const anyOptions = fc.record({
  save_card: choices,
  default_save_card: choices,
  hide_save_card_toggle: choices,
})
const anyMethod = fc.constantFrom(CARD, DEBIT, TRANSFER)

it('names each combination of the three options in exactly one row', () => {
  const seen = ROWS.flatMap(optionsOf).map((options) => Object.values(options).map(String).join())
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toHaveLength(4 * 4 * 4)
})

describe.each(ROWS)('row $row', (row) => {
  const all = optionsOf(row)

  it('shows the checkbox and the consent text of the table', () => {
    for (const options of all) {
      const view = saveCardView(options)
      expect(view, JSON.stringify(options)).toMatchObject(row.view)
      expect(saveChoice(view, CARD)).toEqual({ ...view, locked: false })
    }
  })

  it('offers the methods of the table and no others', () => {
    for (const options of all) {
      for (const name of NAMES) {
        const offered = row.decisions[name][0] !== WITHDRAWN
        expect(isMethodOffered(options, METHODS[name]), JSON.stringify(options)).toBe(offered)
      }
    }
  })

  it.each(NAMES)('decides about a new %s by the submitted choice', (name) => {
    for (const options of all) {
      const decided = [undefined, false, true].map((submitted) =>
        saveDecision(options, METHODS[name], submitted),
      )
      expect(decided, JSON.stringify(options)).toEqual(row.decisions[name])
    }
  })

  it('shows nothing about saving for a method that cannot be stored', () => {
    for (const options of all) {
      expect(saveChoice(saveCardView(options), TRANSFER)).toMatchObject(HIDDEN)
    }
  })

  // Under the consent sentence of rows 1 and 5 the box stays hidden: the payer reads one or the
  // other, and never both.
  it('checks and locks the box of a method that is stored before it can be used', () => {
    for (const options of all) {
      expect(saveChoice(saveCardView(options), DEBIT)).toMatchObject(row.debit)
    }
  })
})

it('hides the choice for a method that is already saved', () => {
  for (const options of ROWS.flatMap(optionsOf)) {
    const choice = saveChoice(saveCardView(options), undefined)
    expect(choice).toEqual({ ...HIDDEN, initial: false, locked: false })
  }
})

describe('page and server together', () => {
  it('accept every unchanged form and do what it shows', () => {
    fc.assert(
      fc.property(anyOptions, anyMethod, (options, method) => {
        fc.pre(isMethodOffered(options, method))
        const choice = saveChoice(saveCardView(options), method)
        const submitted = choice.show ? choice.initial : undefined
        const save = choice.consent || (choice.show && choice.initial)
        expect(saveDecision(options, method, submitted)).toMatchObject({ ok: true, save })
      }),
    )
  })

  it('reject a choice to save exactly if neither a checkbox nor a consent text is shown', () => {
    fc.assert(
      fc.property(anyOptions, anyMethod, (options, method) => {
        fc.pre(isMethodOffered(options, method))
        const choice = saveChoice(saveCardView(options), method)
        expect(saveDecision(options, method, true).ok).toBe(choice.show || choice.consent)
      }),
    )
  })

  it('never save without a checkbox or a consent text', () => {
    fc.assert(
      fc.property(anyOptions, anyMethod, choices, (options, method, submitted) => {
        const decision = saveDecision(options, method, submitted ?? undefined)
        fc.pre(decision.ok && decision.save)
        const choice = saveChoice(saveCardView(options), method)
        expect(choice.show || choice.consent).toBe(true)
      }),
    )
  })
})
