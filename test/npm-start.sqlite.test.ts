import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { openTestDatabase } from './database.ts'
import { freePort, until } from './program.ts'

it('npm start passes SIGTERM on, so that no server is left behind', async () => {
  const database = await openTestDatabase()
  const port = await freePort()
  const alive = () =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      ({ ok }) => ok,
      () => false,
    )
  // Without the set-up before it: that has run, or this test would not.
  const npm = spawn('npm', ['start', '--ignore-scripts'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'ignore',
    // The test runner's own environment has a BASE_URL, which means something else.
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      PORT: String(port),
      DATABASE_URL: database.url,
    },
  })
  const ended = once(npm, 'exit')
  await until('npm start to listen', alive)
  npm.kill('SIGTERM')
  await ended
  await until('the server to end', async () => !(await alive()))
  expect(await alive()).toBe(false)
  await database.drop()
}, 60_000)
