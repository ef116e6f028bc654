import { ROOT } from '../root.ts'

/** The script of the threads that read a SQLite file. */
export const READ_PROGRAM = import.meta.url.endsWith('.ts')
  ? new URL('./read-worker.ts', import.meta.url)
  : new URL('dist/server/read-worker.js', ROOT)
