import { fileURLToPath } from 'node:url'

/** The folder of the generated clients, and of the examples that are compiled with them. */
export const OUTPUT = fileURLToPath(new URL('../../dist/clients/', import.meta.url))
