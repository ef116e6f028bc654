import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { listen } from '../../test/listen.ts'
import { runCommand } from '../../test/run-command.ts'

const app = await startTestApp()
const { databaseUrl } = app.checkstand.deps.config

/** A server that answers its readiness with a status. */
async function ready(status: number): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end())
  await listen(server)
  return String((server.address() as AddressInfo).port)
}

const doctor = (settings: Record<string, string> = {}, url = databaseUrl) =>
  runCommand(url, ['doctor', '--json'], settings)
const resultsOf = (json: { findings: { check: string; result: string }[] }) =>
  Object.fromEntries(json.findings.map(({ check, result }) => [check, result]))

describe('doctor', () => {
  it('finds nothing wrong with a server that works', async () => {
    const { code, json } = await doctor({ PORT: await ready(200) })
    expect(resultsOf(json)).toMatchObject({
      node: 'ok',
      settings: 'ok',
      database: 'ok',
      live: 'ok',
      server: 'ok',
    })
    expect(code).toBe(0)
  })

  it('fails for a server that takes no payments, and warns of one that does not run', async () => {
    const busy = await doctor({ PORT: await ready(503) })
    expect([busy.code, resultsOf(busy.json)['server']]).toEqual([1, 'problem'])
    const away = await doctor({ PORT: '1' })
    expect([away.code, resultsOf(away.json)['server']]).toEqual([0, 'warning'])
  })

  it('names wrong settings, and a database that is not there', async () => {
    const wrong = await doctor({ PORT: 'many' })
    expect(wrong.code).toBe(1)
    expect(wrong.json.findings.at(-1)).toMatchObject({
      check: 'settings',
      result: 'problem',
      about: expect.stringContaining('PORT'),
    })
    const missing = await doctor({ PORT: '1' }, 'file:/nowhere/checkstand.db')
    expect(missing.code).toBe(1)
    expect(resultsOf(missing.json)['database']).toBe('problem')
  })

  it('--ready is for health checks', async () => {
    const ask = async (port: string) =>
      (await runCommand(databaseUrl, ['doctor', '--ready'], { PORT: port })).code
    expect([await ask(await ready(200)), await ask(await ready(503)), await ask('1')]).toEqual([
      0, 1, 1,
    ])
  })
})
