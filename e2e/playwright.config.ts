import { defineConfig, devices } from '@playwright/test'
import { fileURLToPath } from 'node:url'
import { findChromium } from '../scripts/chromium.mjs'
import { isDeep } from '../test/depth.ts'
import { PROGRAM_KEY } from '../test/program.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const executablePath = findChromium(root)
if (executablePath === undefined) {
  throw new Error('There is no Chromium: run `npm test`, which finds or installs one')
}

// Workers load this file again and need the same server, so the port is in the environment.
process.env['CHECKSTAND_E2E_PORT'] ??= String(20_000 + (process.pid % 20_000))
const port = process.env['CHECKSTAND_E2E_PORT']
const base = `http://localhost:${port}`

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: true,
  // Tests also wait, so two cores can run four workers.
  workers: 4,
  forbidOnly: true,
  // More of what other tests prove with fewer languages, sizes and browsers.
  ...(isDeep ? {} : { grepInvert: /@deep/ }),
  retries: process.env['CI'] ? 1 : 0,
  // Benchmarks measure the speed; a slow machine must not fail a test.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: process.env['CI'] ? 'list' : 'line',
  use: {
    ...devices['Desktop Chrome'],
    baseURL: base,
    // A trace costs a quarter of the time: CI writes one for a retry, and `--trace on` asks for one.
    trace: 'on-first-retry',
    // A field that is not there fails its test before the time of the test is over.
    actionTimeout: 60_000,
    launchOptions: {
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Pages of one test after the other share a renderer.
        '--process-per-site',
      ],
    },
  },
  webServer: {
    command: 'rm -rf test-results/e2e-data && node dist/server/main.js serve',
    cwd: root,
    url: `${base}/readyz`,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    env: {
      PORT: port,
      HOST: 'localhost',
      BASE_URL: base,
      DATABASE_URL: 'file:./test-results/e2e-data/checkstand.db',
      CHECKSTAND_SECRET_KEY: PROGRAM_KEY,
      LOG_LEVEL: 'warn',
      SANDBOX_SETTLE_MS: '1500',
      PAYER_PAUSE_MS: '0',
    },
  },
})
