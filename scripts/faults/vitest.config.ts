import { defineConfig } from 'vitest/config'

// Faults need root, tools and real seconds, so they are a command of their own: npm run faults.
// One file at a time: each has the machine's clock, disk or processor for itself.
export default defineConfig({
  test: {
    name: 'faults',
    root: import.meta.dirname,
    include: ['*.test.ts'],
    globalSetup: ['required-tools.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
