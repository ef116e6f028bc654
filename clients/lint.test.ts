import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const REDOCLY = fileURLToPath(new URL('../node_modules/.bin/redocly', import.meta.url))

it('the interface description passes the recommended rules of Redocly, warnings included', () => {
  const { stdout, stderr, status } = spawnSync(
    REDOCLY,
    ['lint', 'docs/openapi.json', '--extends', 'recommended', '--format', 'json'],
    {
      cwd: fileURLToPath(new URL('../', import.meta.url)),
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  )
  const { problems } = JSON.parse(stdout) as {
    problems: { ruleId: string; message: string; location: { pointer?: string }[] }[]
  }
  const told = problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
  )
  expect(told, stderr).toEqual([])
  expect(status).toBe(0)
})
