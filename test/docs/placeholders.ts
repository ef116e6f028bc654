import { createHash } from 'node:crypto'

/**
 * Puts texts that are the same in every run in the place of what is random in an answer, so that the
 * documentation shows whole answers, and reads them back in the commands that follow.
 */
export interface Placeholders {
  /** Returns a text with its random parts replaced, the same one always by the same. */
  print: (text: string) => string
  /** Returns a text that was printed, or written by hand, with what it stands for. */
  read: (text: string) => string
  /** Returns the id or token with a prefix that was printed last; undefined before the first. */
  newest: (prefix: string) => string | undefined
}

/** An id, a token or secret with its prefix, the end of a secret key, the reference of a payment, or a digest. */
const RANDOM = new RegExp(
  [
    String.raw`\b(?<id>(?:acc|at|aud|ca|cg|ck|co|dlv|evt|ins|key|le|ler|ml|og|pay|pm|pr|ref|rv|ses|sr|tr|usr|uss|vo|wh)_\d+_)[0-9a-z]{16}\b`,
    String.raw`\b(?<link>[dp]l_[0-9a-z]+_)[0-9A-Za-z]{24}\b`,
    String.raw`\b(?<secret>(?:whsec|tok|at|s[a-z]+)_)[\w+/=-]{20,}`,
    String.raw`(?<="prefix":\s?"[^"]{1,99}",\s{0,9}"last4":\s?")(?<ending>)[\w-]{4}`,
    String.raw`\b(?<reference>)[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}\b`,
    String.raw`\b(?<digest>)[0-9a-f]{32,64}\b`,
  ].join('|'),
  'g',
)

/** A receiver of webhooks, which listens on any port. */
const RECEIVER = /http:\/\/127\.0\.0\.1:\d+/g

/** An id as a page may write it that nothing was printed for. */
const WRITTEN =
  /\b(acc|aud|ca|cg|ck|co|dl|evt|ins|key|le|ler|og|pay|pl|pm|pr|ref|rv|sr|tok|tr|usr|uss|vo|wh)_[\w-]+/g

/** Creates an empty set of placeholders. */
export function newPlaceholders(): Placeholders {
  const printed = new Map<string, string>()
  const real = new Map<string, string>()
  const counts = new Map<string, number>()

  const newest = (prefix: string) =>
    [...printed.keys()].findLast((found) => found.startsWith(`${prefix}_`))

  function standIn(found: string, fixed: string): string {
    const replacement = printed.get(found)
    if (replacement !== undefined) return replacement
    const kind = fixed.split('_')[0] as string
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const made = fixed + alike(found.slice(fixed.length), `${kind} ${count}`)
    printed.set(found, made)
    real.set(made, found)
    return made
  }

  return {
    print: (text) =>
      text.replaceAll(RECEIVER, 'http://localhost:3000').replaceAll(RANDOM, (found, ...rest) => {
        const groups = rest.at(-1) as Record<string, string | undefined>
        return standIn(found, Object.values(groups).find((fixed) => fixed !== undefined) ?? '')
      }),
    read: (text) =>
      text.replaceAll(
        WRITTEN,
        (written, prefix: string) => real.get(written) ?? newest(prefix) ?? written,
      ),
    newest,
  }
}

const HEX = /^[0-9a-f]{32,}$/
const REFERENCE = /^[0-9A-Z]{4}(-[0-9A-Z]{4}){2}$/

/** Returns a text that looks as the one that was found, and is the same for the same seed. */
function alike(found: string, seed: string): string {
  const letters = HEX.test(found)
    ? '0123456789abcdef'
    : REFERENCE.test(found)
      ? '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
      : 'abcdefghijklmnopqrstuvwxyz0123456789'
  const bytes = createHash('sha512').update(seed).digest()
  return found.replaceAll(/./g, (letter, at: number) => {
    if (letter === '-' && REFERENCE.test(found)) return letter
    return letters[(bytes[at % bytes.length] as number) % letters.length] as string
  })
}
