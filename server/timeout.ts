/**
 * Waits at most `ms` milliseconds for a promise. Throws the error that `onTimeout` returns when it
 * takes longer; the work behind the promise continues.
 */
export async function withTimeout<T>(
  promise: Promise<T>,
  ms: number,
  onTimeout: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(onTimeout()), ms)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Waits at most `ms` milliseconds for a shutdown, so that a database that hangs does not keep the
 * process alive. Throws an Error when the shutdown takes longer.
 */
export async function closeWithin(
  closing: Promise<void>,
  { ms, log }: { ms: number; log: { fatal: (fields: object, message: string) => void } },
): Promise<void> {
  await withTimeout(closing, ms, () => {
    log.fatal({ ms }, 'the server could not end in time and is ended as it is')
    return new Error(`The server could not end within ${ms / 1000} seconds`)
  })
}
