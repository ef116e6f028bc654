/**
 * A point where a crash test ends the process as a power cut would: at once, and without a word to
 * anybody. Without a wanted point it does nothing.
 */
export function createFailpoint(wanted: string | undefined): (name: string) => void {
  if (wanted === undefined) return () => {}
  return (name) => {
    if (name === wanted) process.kill(process.pid, 'SIGKILL')
  }
}
