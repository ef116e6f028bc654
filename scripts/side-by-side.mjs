// Runs commands side by side, as many at a time as there are processors:
// `node scripts/side-by-side.mjs "command one" "command two"`. The first ones start first, so the longest
// belongs there. Prints the output of each command when it ends; exits with 1 when one of them failed.
// Runs before anything is checked, so it uses only Node.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

const waiting = process.argv.slice(2)

/** Runs one command in a shell and prints what it printed. */
function run(command) {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(chunks))
      if (code === 0) return resolve()
      console.error(`failed: ${command}`)
      process.exitCode = 1
      resolve()
    })
  })
}

async function runWaiting() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next)
}

await Promise.all(Array.from({ length: availableParallelism() }, runWaiting))
