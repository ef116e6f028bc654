import { useRef, useState } from 'preact/hooks'
import { mayHaveHappened, RequestError } from './request.ts'

/** One action of a person: running, refused, or neither. */
export interface Action<Input extends unknown[]> {
  busy: boolean
  error: RequestError | undefined
  /** Runs the action unless it runs already. Resolves when it has ended, whatever came of it. */
  run: (...input: Input) => Promise<void>
  clear: () => void
}

/**
 * Runs `work` when a person asks for it. `work` gets an idempotency key that stays the same until a try
 * succeeds, so that a repeated press after a lost answer cannot do the same thing twice.
 */
export function useAction<Input extends unknown[]>(
  work: (key: string, ...input: Input) => Promise<void>,
): Action<Input> {
  const key = useRef<string>(undefined)
  const running = useRef(false)
  const [state, setState] = useState<{ busy: boolean; error: RequestError | undefined }>({
    busy: false,
    error: undefined,
  })
  return {
    ...state,
    async run(...input) {
      if (running.current) return
      running.current = true
      key.current ??= crypto.randomUUID()
      setState({ busy: true, error: undefined })
      try {
        await work(key.current, ...input)
        key.current = undefined
        setState({ busy: false, error: undefined })
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        // A refused request did nothing; the next one may have another content.
        if (!mayHaveHappened(error)) key.current = undefined
        setState({ busy: false, error })
      } finally {
        running.current = false
      }
    },
    clear: () => setState({ busy: false, error: undefined }),
  }
}
