import { appendFileSync } from 'node:fs'
import type { Json } from '../../test/payments-client.ts'

/** Every call that a client made, and what came of it, as one list that the invariants read. */

export interface Call {
  /** Counts up; a later call was begun later. */
  n: number
  client: string
  shop: string
  /** What was meant, such as `pay` or `link.edit`. */
  op: string
  /** The same for every repeat of one intention. */
  key?: string
  /** Other facts about the intention that an invariant needs. */
  about?: Record<string, Json>
  /** Milliseconds of the harness's own clock. */
  invoked: number
  /** Undefined while the call runs, and forever without a response. */
  answered?: number
  status?: number
  json?: Json
}

export interface History {
  calls: Call[]
  /** Records the start of a call. `end` records its response, or that there was none. */
  begin: (call: Omit<Call, 'n' | 'invoked'>) => Call
  end: (call: Call, response?: { status: number; json: Json }) => void
}

/** A history that is also written to `file`, one JSON object for each beginning and each end. */
export function createHistory(file: string): History {
  const calls: Call[] = []
  const write = (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`)
  return {
    calls,
    begin(from) {
      const call: Call = { n: calls.length + 1, ...from, invoked: performance.now() }
      calls.push(call)
      write({ type: 'invoke', ...call })
      return call
    },
    end(call, response) {
      const answer = response && { status: response.status, json: response.json }
      if (answer) Object.assign(call, { answered: performance.now(), ...answer })
      write({ type: answer ? 'answer' : 'unknown', n: call.n, ...answer })
    },
  }
}
