import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'

/** The budget of the script on every page of a merchant. */

const BUILT = new URL('../../dist/embed/', import.meta.url)

describe.each(['script/widget.js', 'module/widget.mjs'])('the built %s', (name) => {
  const script = readFileSync(new URL(name, BUILT))
  const text = script.toString('utf8')

  it('is at most 1.6 kB compressed', () => {
    expect(brotliCompressSync(script).length).toBeLessThan(1650)
    expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(1930)
  })

  it('is one file that sends no request, evaluates no code and writes no HTML', () => {
    expect(text).not.toMatch(
      /\bimport\b(?!\.meta)|\bfetch\(|\beval\b|\bFunction\b|innerHTML|cookie/,
    )
    expect(text).not.toMatch(/localStorage|sessionStorage|setAttribute\(["'`]style/)
  })

  it('has no access to what the payer enters in the frame', () => {
    expect(text).not.toMatch(/card|number|csc|password/i)
  })
})
