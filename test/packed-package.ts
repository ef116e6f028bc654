import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'
import { atEnd } from './at-end.ts'
import { isDeep } from './depth.ts'

/** A package as others get it: packed, and installed in an empty folder. */

export const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..')
const bin = (name: string) => join(ROOT, 'node_modules/.bin', name)

/** Rejects when `publint`, or in a deep run `attw`, finds a mistake in the package. */
export async function lintPackage(folder: string): Promise<void> {
  await run(bin('publint'), ['--strict', folder])
  // It takes ten seconds. Not the way in which Node.js before 12.7 found types.
  if (isDeep) await run(bin('attw'), ['--pack', folder, '--profile', 'node16'])
}

export interface PackedPackage {
  /** The folder in which it is installed. */
  folder: string
  /** The files of the tarball. */
  files: readonly string[]
  /** Runs a module that uses it; by `require` when the name ends in `.cjs`. Returns what it prints. */
  execute: (name: string, code: string) => Promise<string>
  /** Returns what a bundle of a module takes, in bytes after compression, and its code. */
  bundle: (code: string) => Promise<{ bytes: number; code: string }>
}

export async function packPackage(source: string): Promise<PackedPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'checkstand-package-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: source })
  const [{ filename, files }] = JSON.parse(packed.stdout) as [
    { filename: string; files: { path: string }[] },
  ]
  await writeFile(join(folder, 'package.json'), '{"private": true}')
  const offline = ['--offline', '--no-audit', '--no-fund', '--legacy-peer-deps']
  await run('npm', ['install', ...offline, `./${filename}`], { cwd: folder })
  return {
    folder,
    files: files.map(({ path }) => path),
    async execute(name, code) {
      await writeFile(join(folder, name), code)
      return (await run(process.execPath, [name], { cwd: folder })).stdout
    },
    async bundle(source) {
      const entry = join(folder, 'bundled.mjs')
      await writeFile(entry, source)
      const built = await build({
        root: folder,
        configFile: false,
        logLevel: 'silent',
        build: {
          write: false,
          target: 'es2022',
          minify: true,
          rollupOptions: { external: ['react', /^node:/] },
          lib: { entry, formats: ['es'] },
        },
      })
      const [result] = [built].flat() as { output: { code: string }[] }[]
      const code = result?.output.map((chunk) => chunk.code).join('') ?? ''
      return { bytes: brotliCompressSync(code).length, code }
    },
  }
}
