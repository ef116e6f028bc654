import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const DATABASE = 'test/database.ts'
const HARNESS = /^(test|scripts)\/|\.test\.tsx?$/
const IMPORT = /\bfrom\s+'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'\s*\)|^import '(\.[^']+)'/gm
const TYPE_IMPORT = /^import type [^']*'[^']+'$/gm

/**
 * Returns a function that reports whether a test file (relative to `root`) imports `test/database.ts`,
 * directly or through other files of the harness. Only such a test can behave differently on another
 * database. Product code never imports the harness, so imports are not followed into it.
 */
export function databaseTests(root: string): (file: string) => boolean {
  const results = new Map<string, boolean>([[DATABASE, true]])
  const needsDatabase = (file: string): boolean => {
    const cached = results.get(file)
    if (cached !== undefined) return cached
    // Also ends circles of imports.
    results.set(file, false)
    const result = harnessImports(root, file).some(needsDatabase)
    results.set(file, result)
    return result
  }
  return needsDatabase
}

function harnessImports(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replace(TYPE_IMPORT, '')
  return [...text.matchAll(IMPORT)]
    .map((match) =>
      relative(root, join(root, dirname(file), match[1] ?? match[2] ?? match[3] ?? '')),
    )
    .filter((path) => HARNESS.test(path) && existsSync(join(root, path)))
}
