import { isBuilt } from '../scripts/build-stamp.mjs'

const built = isBuilt('server') ? '../dist/server/read-worker.js' : '../server/db/read-worker.ts'

/** The built script where it is current: each test file starts threads, which would compile the source. */
export const READ_PROGRAM = new URL(built, import.meta.url)
