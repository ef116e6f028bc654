// Which Chromium the browser tests use. Playwright's own is the rule; where it cannot be had, one
// from the system serves as well. Debian has the headless shell, which Playwright brings, as a package.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const SYSTEM_SHELL = '/usr/bin/chromium-headless-shell'

/** The path of a Chromium that is already here, or undefined. CHROMIUM_PATH names another one. */
export function findChromium(root) {
  const configured = process.env.CHROMIUM_PATH
  if (configured) return existsSync(configured) ? configured : undefined
  return [playwrights(root), ...SYSTEM].find((path) => path !== undefined && existsSync(path))
}

/**
 * The browser for tests that need no window: Chromium's headless shell takes a third less time than
 * Chromium. Undefined where Playwright's own is installed, which chooses its shell itself.
 */
export function findHeadlessShell(root) {
  const chromium = findChromium(root)
  if (process.env.CHROMIUM_PATH) return chromium
  if (chromium !== undefined && chromium === playwrights(root)) return undefined
  return existsSync(SYSTEM_SHELL) ? SYSTEM_SHELL : chromium
}

function playwrights(root) {
  try {
    const require = createRequire(join(root, 'package.json'))
    return require('@playwright/test').chromium.executablePath()
  } catch {
    return undefined
  }
}

/** Installs Chromium if there is none, or exits with instructions. */
export function provideChromium(root) {
  if (findChromium(root)) return
  console.log('Installing a Chromium for the browser tests …')
  const playwright = join(root, 'node_modules', 'playwright', 'cli.js')
  run(process.execPath, [playwright, 'install', 'chromium'], 240_000)
  if (findChromium(root)) return
  if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    run('apt-get', ['update', '-qq'], 300_000)
    // Not every release has both.
    for (const name of ['chromium', 'chromium-headless-shell'])
      run('apt-get', ['install', '-y', '-qq', name], 600_000)
  }
  if (findChromium(root)) return
  console.error('The browser tests need a Chromium. Install one, or set CHROMIUM_PATH to it.')
  process.exit(1)
}

function run(command, args, timeout) {
  spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}
