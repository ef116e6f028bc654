import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

/** Loads the server in a process of its own, and then the adapter. */
const PROGRAM = `
  import { registerHooks } from 'node:module'
  let isLoaded = false
  registerHooks({
    resolve(specifier, context, next) {
      isLoaded ||= specifier === 'stripe'
      return next(specifier, context)
    },
  })
  await import('./server/index.ts')
  const byServer = isLoaded
  await import('./server/processors/stripe/index.ts')
  console.log(JSON.stringify({ byServer, byAdapter: isLoaded }))
`

it('loads the library of a processor only with its adapter', async () => {
  const root = new URL('../..', import.meta.url)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', PROGRAM],
    { cwd: root },
  )
  expect(JSON.parse(stdout)).toEqual({ byServer: false, byAdapter: true })
})
