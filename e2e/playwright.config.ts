import { defineConfig, devices } from '@playwright/test'
import { fileURLToPath } from 'node:url'
import { findChromium } from '../scripts/chromium.mjs'

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
  // Tests mostly wait, so two cores can run three workers.
  workers: 3,
  forbidOnly: true,
  retries: process.env['CI'] ? 1 : 0,
  // Benchmarks measure the speed; a slow machine must not fail a test.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: process.env['CI'] ? 'list' : 'line',
  use: {
    ...devices['Desktop Chrome'],
    baseURL: base,
    // A trace costs a quarter of the time, so CI writes one only for a retry.
    trace: process.env['CI'] ? 'on-first-retry' : 'retain-on-failure',
    launchOptions: {
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
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
      CHECKSTAND_SECRET_KEY: 'sk_test_e2e_4f9c21d07ab83e65c1f2970d8be4a3f6',
      LOG_LEVEL: 'warn',
      SANDBOX_SETTLE_MS: '1500',
    },
  },
})
