import { defineConfig, devices } from '@playwright/test'
import { fileURLToPath } from 'node:url'
import { findChromium, findHeadlessShell } from '../scripts/chromium.mjs'
import { isDeep } from '../test/depth.ts'
import { PROGRAM_KEY } from '../test/program.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const chromium = findChromium(root)
const headlessShell = findHeadlessShell(root)
if (chromium === undefined) {
  throw new Error('There is no Chromium: run `npm test`, which finds or installs one')
}

// Workers load this file again and need the same server, so the port is in the environment.
process.env['CHECKSTAND_E2E_PORT'] ??= String(20_000 + (process.pid % 10_000))
const port = process.env['CHECKSTAND_E2E_PORT']
const base = `http://localhost:${port}`

/** Tests of what the headless shell cannot do: it has no settings, such as those about cookies. */
const FULL_CHROMIUM = /@full-chromium/

/** Launches a browser; undefined is the headless shell that Playwright brings. */
function launch(executablePath: string | undefined) {
  return {
    ...devices['Desktop Chrome'],
    launchOptions: {
      ...(executablePath && { executablePath }),
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
  }
}

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  fullyParallel: true,
  // Tests also wait, so two cores can run four workers.
  workers: 4,
  forbidOnly: true,
  projects: isDeep
    ? [{ name: 'chromium', use: launch(chromium) }]
    : [
        // Deep tests prove more of the same with more languages, sizes and browsers.
        {
          name: 'headless-shell',
          grepInvert: [/@deep/, FULL_CHROMIUM],
          use: launch(headlessShell),
        },
        { name: 'chromium', grep: FULL_CHROMIUM, grepInvert: /@deep/, use: launch(chromium) },
      ],
  retries: process.env['CI'] ? 1 : 0,
  // Benchmarks measure the speed; a slow machine must not fail a test.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: process.env['CI'] ? 'list' : 'line',
  use: {
    baseURL: base,
    // A trace costs a quarter of the time: CI writes one for a retry, and `--trace on` asks for one.
    trace: 'on-first-retry',
    // A field that is not there fails its test before the time of the test is over.
    actionTimeout: 60_000,
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
