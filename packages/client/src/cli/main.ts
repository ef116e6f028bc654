#!/usr/bin/env node
import { runCommandLine } from './run.ts'

const ended = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort())
void runCommandLine(process.argv.slice(2), {
  signal: ended.signal,
  write: (text) => void process.stdout.write(text),
  warn: (text) => void process.stderr.write(text),
}).then((code) => {
  process.exitCode = code
})
