import type { ConsoleBoot } from '../shared/console-boot.ts'

/** What the server put into the document. */
export const boot: ConsoleBoot = JSON.parse(document.getElementById('boot')?.textContent ?? '{}')
