import { useRef, useState } from 'preact/hooks'
import { mayHaveHappened, request, RequestError } from '../../api/request.ts'

/** What is known of one movement of money that a person asked for. */
export type MoneyRequest<Result> =
  | { state: 'ready' }
  | { state: 'busy' }
  | { state: 'refused'; error: RequestError }
  /** No answer arrived. The same request may be sent again: its key makes it the same one. */
  | { state: 'no_answer' }
  | { state: 'answered'; result: Result }

/**
 * Sends one movement of money. It has one idempotency key from the opening of its dialog until the
 * answer, so a double press, a retry or a lost answer never moves money twice. While no answer has
 * arrived, only the very same body is sent again.
 */
export function useMoneyRequest<Result>(path: string) {
  const key = useRef(crypto.randomUUID())
  const sent = useRef<unknown>(undefined)
  const running = useRef(false)
  const [state, setState] = useState<MoneyRequest<Result>>({ state: 'ready' })
  const send = async (body: unknown) => {
    if (running.current) return
    running.current = true
    const asked = sent.current ?? body
    setState({ state: 'busy' })
    try {
      const result = await request<Result>('POST', path, { body: asked, key: key.current })
      setState({ state: 'answered', result })
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      const isUnknown = mayHaveHappened(error)
      sent.current = isUnknown ? asked : undefined
      if (!isUnknown) key.current = crypto.randomUUID()
      setState(isUnknown ? { state: 'no_answer' } : { state: 'refused', error })
    } finally {
      running.current = false
    }
  }
  return { ...state, send: (body: unknown) => void send(body) }
}
