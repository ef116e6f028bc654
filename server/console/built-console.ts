import { readFile } from 'node:fs/promises'

/** The addresses of the built console's script and style sheets. */
export interface BuiltConsole {
  script: string
  styles: readonly string[]
}

interface Manifest {
  [source: string]: { file: string; css?: string[] }
}

const ENTRY = 'console/main.tsx'

/** Reads the manifest of the built console. Throws an Error that names the build command when it is missing. */
export async function loadConsole(distUrl: URL): Promise<BuiltConsole> {
  const text = await readFile(new URL('console/manifest.json', distUrl), 'utf8').catch(
    (error: unknown) => {
      throw new Error('The console is not built yet: run `npm run build`', { cause: error })
    },
  )
  const entry = (JSON.parse(text) as Manifest)[ENTRY]
  if (!entry) throw new Error('The built console has no entry: run `npm run build`')
  return { script: `/${entry.file}`, styles: (entry.css ?? []).map((file) => `/${file}`) }
}
