import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** `npm run test:stripe`: the suite of processors with an account of Stripe in test mode. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const key = process.env['STRIPE_TEST_KEY'] ?? ''

function run(): number {
  if (key === '') {
    process.stdout.write(
      'Nothing was tested: STRIPE_TEST_KEY must hold a secret key of a Stripe account in test mode.\n',
    )
    return 0
  }
  if (!/^(sk|rk)_test_/.test(key)) {
    process.stderr.write('STRIPE_TEST_KEY must be a key of test mode, sk_test_… or rk_test_…\n')
    return 2
  }
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
  const args = [vitest, 'run', '--config', 'scripts/stripe-account/vitest.config.ts']
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1
}

process.exitCode = run()
