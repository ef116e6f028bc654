import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  groupCommit,
  GroupCommitFailed,
  TransactionHeldTooLong,
  type LogicalTransaction,
  type Writer,
} from './group-commit.ts'
import { DatabaseLocked } from './unreachable.ts'

/** A writer that records its calls and fails as specified. */
function recordingWriter() {
  const calls: string[] = []
  const failures = new Map<string, Error[]>()
  let inTransaction = false
  const call = (name: string, effect?: boolean) => () => {
    calls.push(name)
    const failure = failures.get(name)?.shift()
    if (failure) throw failure
    if (effect !== undefined) inTransaction = effect
  }
  const writer: Writer = {
    begin: call('begin', true),
    savepoint: call('savepoint'),
    release: call('release'),
    rollbackToSavepoint: call('rollbackTo'),
    commit: call('commit', false),
    rollback: call('rollback', false),
    inTransaction: () => inTransaction,
  }
  return {
    writer,
    calls,
    failNext: (name: string, error: Error) =>
      failures.set(name, [...(failures.get(name) ?? []), error]),
    loseTransaction: () => {
      inTransaction = false
    },
  }
}

const coded = (code: string) => Object.assign(new Error(code), { code })

/** What became of a promise so far, without waiting for it. */
function watchOutcome(promise: Promise<unknown>): { now: string; error: unknown } {
  const outcome = { now: 'waiting', error: undefined as unknown }
  promise.then(
    () => (outcome.now = 'resolved'),
    (error: unknown) => {
      outcome.now = 'failed'
      outcome.error = error
    },
  )
  return outcome
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const microtasks = () => vi.advanceTimersByTimeAsync(0)

describe('a group', () => {
  it('starts a transaction after the previous one has ended', async () => {
    const { writer, calls } = recordingWriter()
    const group = groupCommit(writer)
    const first = await group.begin()
    const waiting: string[] = []
    const second = group.begin().then((turn) => {
      waiting.push('second')
      return turn
    })
    const third = group.begin().then((turn) => {
      waiting.push('third')
      return turn
    })
    await microtasks()
    expect(waiting).toEqual([])
    const done = [first.commit()]
    done.push((await second).commit())
    expect(waiting).toEqual(['second'])
    done.push((await third).commit())
    await microtasks()
    await Promise.all(done)
    const one = ['savepoint', 'release']
    expect(calls).toEqual(['begin', ...one, ...one, ...one, 'commit'])
    expect(group.counts()).toEqual({ commits: 1, transactions: 3 })
  })

  it('settles no member while another one is open', async () => {
    const { writer } = recordingWriter()
    const group = groupCommit(writer)
    const first = watchOutcome((await group.begin()).commit())
    const second = await group.begin()
    await vi.advanceTimersByTimeAsync(20)
    expect(first.now).toBe('waiting')
    await Promise.all([second.commit(), microtasks()])
    expect(first.now).toBe('resolved')
  })
})

describe('a group that cannot be committed', () => {
  it('rejects every member, the rolled back one included, and keeps the cause', async () => {
    const { writer, calls, failNext } = recordingWriter()
    const cause = coded('SQLITE_IOERR_FSYNC')
    failNext('commit', cause)
    const group = groupCommit(writer)
    const outcomes = [
      watchOutcome((await group.begin()).commit()),
      watchOutcome((await group.begin()).rollback()),
      watchOutcome((await group.begin()).commit()),
    ]
    await microtasks()
    for (const { now, error } of outcomes) {
      expect(now).toBe('failed')
      expect(error).toBeInstanceOf(GroupCommitFailed)
      expect(error).toMatchObject({ cause, retryable: true })
    }
    expect(calls.at(-1)).toBe('rollback')
    expect(group.counts().commits).toBe(0)
  })

  it('reruns its members one by one, so that only the bad one fails', async () => {
    const { writer, failNext } = recordingWriter()
    const cause = coded('SQLITE_CONSTRAINT_FOREIGNKEY')
    failNext('commit', cause)
    const group = groupCommit(writer)
    const run = async () => (await group.begin()).commit()
    const first = [watchOutcome(run()), watchOutcome(run())]
    await microtasks()
    expect(first.map(({ now }) => now)).toEqual(['failed', 'failed'])
    failNext('commit', cause)
    const again = [watchOutcome(run()), watchOutcome(run())]
    await microtasks()
    expect(again.map(({ now }) => now)).toEqual(['failed', 'resolved'])
    for (let i = 0; i < 3; i += 1) await Promise.all([run(), microtasks()])
    const before = group.counts().commits
    await Promise.all([run(), run(), run(), microtasks()])
    expect(group.counts().commits).toBe(before + 1)
  })

  it('fails as a whole when the database has rolled back the transaction', async () => {
    const { writer, loseTransaction } = recordingWriter()
    const group = groupCommit(writer)
    const ended = watchOutcome((await group.begin()).commit())
    const turn = await group.begin()
    const cause = coded('SQLITE_FULL')
    const statement = () =>
      turn.run('insert', () => {
        loseTransaction()
        throw cause
      })
    expect(statement).toThrow(GroupCommitFailed)
    await microtasks()
    expect(ended.error).toMatchObject({ name: 'GroupCommitFailed', cause })
    // A caller that caught the error cannot continue in the transaction.
    expect(() => turn.run('select', () => 1)).toThrow(GroupCommitFailed)
    await expect(turn.commit()).rejects.toThrow(GroupCommitFailed)
    await expect(turn.rollback()).rejects.toThrow(GroupCommitFailed)
    const next = watchOutcome(group.begin().then((other) => other.commit()))
    await microtasks()
    expect(next.now).toBe('resolved')
  })
})

describe('a savepoint that fails', () => {
  it('rejects all members of its group and ends the group', async () => {
    const { writer, failNext } = recordingWriter()
    const group = groupCommit(writer)
    const ended = watchOutcome((await group.begin()).commit())
    failNext('savepoint', coded('SQLITE_NOMEM'))
    const refused = watchOutcome(group.begin())
    const next = watchOutcome(group.begin().then((turn) => turn.commit()))
    await microtasks()
    expect([ended.now, refused.now, next.now]).toEqual(['failed', 'failed', 'resolved'])
    expect(refused.error).toBeInstanceOf(GroupCommitFailed)
  })
})

describe('a lock held by another process', () => {
  it('fails all waiting transactions when it lasts too long', async () => {
    const { writer, failNext } = recordingWriter()
    for (let i = 0; i < 1000; i += 1) failNext('begin', coded('SQLITE_BUSY'))
    const group = groupCommit(writer)
    const waiting = [watchOutcome(group.begin()), watchOutcome(group.begin())]
    await vi.advanceTimersByTimeAsync(4900)
    expect(waiting.map(({ now }) => now)).toEqual(['waiting', 'waiting'])
    await vi.advanceTimersByTimeAsync(200)
    for (const { error } of waiting) expect(error).toBeInstanceOf(DatabaseLocked)
  })
})

describe('a transaction that waits for anything but its queries', () => {
  const hang = async () => {
    const warn = vi.fn<(fields: object, message: string) => void>()
    const { writer, calls } = recordingWriter()
    const group = groupCommit(writer, { log: { warn } })
    const ended = watchOutcome((await group.begin()).commit())
    const hung = await group.begin()
    hung.run('select 7', () => 7)
    const behind = watchOutcome(group.begin().then((turn: LogicalTransaction) => turn.commit()))
    return { warn, calls, ended, hung, behind }
  }

  it('is logged once, with its last statement and the number of waiting transactions', async () => {
    const { warn, hung } = await hang()
    await vi.advanceTimersByTimeAsync(49)
    expect(warn).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1000)
    await Promise.all([hung.commit(), microtasks()])
    expect(warn).toHaveBeenCalledTimes(1)
    expect(warn.mock.calls[0]?.[0]).toMatchObject({ lastSql: 'select 7', waiting: 1 })
  })

  it('is rolled back after a timeout, and the others are committed', async () => {
    const { calls, ended, hung, behind } = await hang()
    await vi.advanceTimersByTimeAsync(4900)
    expect([ended.now, behind.now]).toEqual(['waiting', 'waiting'])
    await vi.advanceTimersByTimeAsync(200)
    expect([ended.now, behind.now]).toEqual(['resolved', 'resolved'])
    expect(calls.filter((call) => call === 'rollbackTo')).toHaveLength(1)
    expect(() => hung.run('insert', () => 1)).toThrow(TransactionHeldTooLong)
    await expect(hung.commit()).rejects.toThrow(TransactionHeldTooLong)
  })
})

describe('closing', () => {
  it('finishes started and waiting transactions and rejects new ones', async () => {
    const { writer, calls } = recordingWriter()
    const group = groupCommit(writer)
    const turn = await group.begin()
    const waiting = watchOutcome(group.begin().then((other) => other.commit()))
    const drained = watchOutcome(group.drain())
    await expect(group.begin()).rejects.toThrow('closed')
    const ended = watchOutcome(turn.commit())
    await microtasks()
    expect([ended.now, waiting.now, drained.now]).toEqual(['resolved', 'resolved', 'resolved'])
    expect(calls.at(-1)).toBe('commit')
  })
})
