import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { operationsOf, readDocument } from './document.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

interface Problem {
  ruleId: string
  severity: 'error' | 'warn'
  message: string
  location: { pointer: string }[]
}

const { stdout, stderr, status } = spawnSync(
  `${ROOT}node_modules/.bin/redocly`,
  ['lint', 'docs/openapi.json', '--extends', 'recommended', '--format', 'json'],
  {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
)
const { problems } = JSON.parse(stdout) as { problems: Problem[] }
const placesOf = (rule: string) =>
  problems.filter(({ ruleId }) => ruleId === rule).map(({ location }) => location[0]?.pointer ?? '')

describe('the interface description, by the recommended rules of Redocly', () => {
  it('is valid', () => {
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(status, stderr).toBe(0)
  })

  it('has no operation without success but those that send a browser elsewhere', () => {
    const elsewhere = operationsOf(readDocument())
      .filter(({ operation }) => {
        const successes = Object.keys(operation.responses).filter((code) => /^[23]/.test(code))
        return successes.length > 0 && successes.every((code) => code === '303')
      })
      .map(({ path, method }) => `#/paths/${path.replaceAll('/', '~1')}/${method}/responses`)
    expect(new Set(placesOf('operation-2xx-response'))).toEqual(new Set(elsewhere))
  })

  it('names the server of this computer in its copy, and draws no other warning', () => {
    expect(placesOf('no-server-example.com')).toEqual(['#/servers/0/url', '#/servers/1/url'])
    const accepted = ['operation-2xx-response', 'no-server-example.com']
    expect(problems.filter(({ ruleId }) => !accepted.includes(ruleId))).toEqual([])
  })
})
