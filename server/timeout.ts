/**
 * Waits for `answer`, `ms` milliseconds at most, and then throws what `late` makes. Whatever is
 * waited for goes on by itself.
 */
export async function withTimeout<T>(
  answer: Promise<T>,
  ms: number,
  late: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms)
  })
  try {
    return await Promise.race([answer, silence])
  } finally {
    clearTimeout(timer)
  }
}
