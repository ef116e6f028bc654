import { expect, it } from 'vitest'
import { openReadThread } from './read-thread.ts'

/** A thread that responds to everything but cannot end a transaction. */
const STUCK = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    const failed = { message: 'disk I/O error', code: 'SQLITE_IOERR' }
    parentPort.on('message', (asked) =>
      parentPort.postMessage({ id: asked.id, ...(asked.do === 'end' ? { failed } : { rows: [] }) }),
    )
  `)}`,
)

it('a thread that cannot end its transaction is discarded', async () => {
  const thread = openReadThread('nowhere', { program: STUCK })
  await thread.begin()
  expect(await thread.read('select 1', [])).toEqual([])
  expect(thread.isLost()).toBe(false)
  await thread.end()
  expect(thread.isLost()).toBe(true)
  await expect(thread.begin()).rejects.toThrow('disk I/O error')
  await thread.close()
})
