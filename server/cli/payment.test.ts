import { expect, it, onTestFinished, vi } from 'vitest'
import { findAttempt, updateAttempt } from '../payments/attempts.ts'
import { listUnresolved } from '../payments/reconcile-queue.ts'
import { reconcileDue } from '../payments/reconcile.ts'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { expectRefused, runCommand, runProgram } from '../../test/run-command.ts'
import { newLink, openPayerClient, readLink } from '../../test/payer-client.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const run = (...args: string[]) => runCommand(deps.config.databaseUrl, ['payment', ...args])
const HOUR = 60 * 60_000

/** A payment whose processor fell silent, and has never found its tongue again. */
async function leaveUnresolved() {
  const link = await newLink(app.merchant, { amount: '12.50' })
  const payer = await openPayerClient(app, link.id)
  expect((await payer.payByCard(CARDS.noAnswerTaken)).json.outcome).toBe('PENDING')
  const { unresolved } = (await run('unresolved', '--json')).json
  return { link: link.id as string, payer, attempt: unresolved.at(-1).id as string }
}

it('stores the processor’s outcome, shows it to the payer, and keeps it', async () => {
  for (const [words, outcome, status] of [
    [['--approved', 'ch_by_hand'], 'COMPLETED', 'PAYMENT_SUCCESS'],
    [['--declined'], 'DECLINED', 'ACTIVE'],
  ] as const) {
    const { link, payer, attempt } = await leaveUnresolved()
    const settled = await run('settle', '--attempt', attempt, ...words)
    expect(settled).toMatchObject({ code: 0, stdout: `settled: ${attempt}\n` })
    expect((await payer.current()).json.checkout.result.outcome).toBe(outcome)
    expect((await readLink(app.merchant, link)).status).toBe(status)
    const again = await run('settle', '--attempt', attempt, ...words)
    expect([again.code, again.err]).toEqual([1, `${attempt} is not unresolved\n`])
  }
  expect(await listUnresolved(deps.db, new Date(app.now()).toISOString())).toEqual([])
})

it('settle requires exactly one outcome', async () => {
  const { link, attempt } = await leaveUnresolved()
  await expectRefused(run, [
    [['settle'], 2, '--attempt is required'],
    [['settle', '--attempt', attempt], 2, 'Use either --approved'],
    [['settle', '--attempt', attempt, '--approved', 'x', '--declined'], 2, 'Use either --approved'],
    [['settle', '--attempt', attempt, '--approved', ''], 2, '--approved is required'],
    [['settle', '--attempt', 'at_1_nobody', '--declined'], 1, 'Attempt at_1_nobody not found'],
    [['forget'], 2, 'checkstand payment'],
  ])
  expect((await readLink(app.merchant, link)).status).toBe('PAYMENT_PENDING')
})

it('after three days of asking in vain the log says so at every further try', async () => {
  await leaveUnresolved()
  const logged: unknown[] = []
  vi.spyOn(deps.log, 'error').mockImplementation((...line: unknown[]) => logged.push(line.at(-1)))
  const sandbox = deps.processors.builtIn.get('sandbox')
  if (!sandbox) throw new Error('no sandbox')
  vi.spyOn(sandbox, 'query').mockRejectedValue(new Error('connect ECONNREFUSED'))
  app.pass(71 * HOUR)
  await reconcileDue(deps)
  expect(logged).toEqual([])
  app.pass(2 * HOUR)
  await reconcileDue(deps)
  expect(logged).toContain('an operation has been unresolved for three days')
  vi.restoreAllMocks()
})

it('what people have settled is asked about no more, not even by who waited for an answer', async () => {
  const { attempt } = await leaveUnresolved()
  const sandbox = deps.processors.builtIn.get('sandbox')
  if (!sandbox) throw new Error('no sandbox')
  const query = vi.spyOn(sandbox, 'query').mockImplementation(async (operation) => {
    const settle = ['payment', 'settle', '--attempt', attempt, '--declined']
    if (operation === attempt) await runProgram(deps.config.databaseUrl, settle)
    throw new Error('no answer in time')
  })
  onTestFinished(() => query.mockRestore())
  app.pass(HOUR)
  const about = () => query.mock.calls.filter(([operation]) => operation === attempt).length
  await reconcileDue(deps)
  expect(about()).toBe(1)
  for (let hours = 0; hours < 5; hours += 1) {
    app.pass(HOUR)
    await reconcileDue(deps)
  }
  expect(about()).toBe(1)
  expect(await findAttempt(deps.db, attempt)).toMatchObject({ state: 'DONE', next_check: null })
})

it('a call whose processor is gone is one that people decide, once it has certainly ended', async () => {
  const { attempt } = await leaveUnresolved()
  const row = await findAttempt(deps.db, attempt)
  await updateAttempt(deps.db, attempt, { state: 'SENT' })
  const listed = async (sentBefore: string) =>
    (await listUnresolved(deps.db, sentBefore)).some(({ id }) => id === attempt)
  expect(await listed(row?.created ?? '')).toBe(false)
  expect(await listed(new Date(app.now() + 1).toISOString())).toBe(true)
})
