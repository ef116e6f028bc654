import { readFile } from 'node:fs/promises'

/** The addresses of the script and the style sheets of a document. */
export interface BuiltDocument {
  script: string
  styles: readonly string[]
}

export interface BuiltConsole {
  shell: BuiltDocument
  /** The frame in which the payer's page is previewed. */
  preview: BuiltDocument
  /** The address of the script of the sign-in pages. */
  signIn: string
}

interface Manifest {
  [source: string]: { file: string; css?: string[]; imports?: string[] }
}

/** Reads the manifest of the built console. Throws an Error that names the build command when it is missing. */
export async function loadConsole(distUrl: URL): Promise<BuiltConsole> {
  const text = await readFile(new URL('console/manifest.json', distUrl), 'utf8').catch(
    (error: unknown) => {
      throw new Error('The console is not built yet: run `npm run build`', { cause: error })
    },
  )
  const manifest = JSON.parse(text) as Manifest
  return {
    shell: documentOf(manifest, 'console/main.tsx'),
    preview: documentOf(manifest, 'widget/preview/main.ts'),
    signIn: documentOf(manifest, 'console/sign-in.ts').script,
  }
}

function documentOf(manifest: Manifest, entry: string): BuiltDocument {
  const built = manifest[entry]
  if (!built) throw new Error(`The built console has no ${entry}: run \`npm run build\``)
  return { script: `/${built.file}`, styles: stylesOf(manifest, entry).map((file) => `/${file}`) }
}

/** The style sheets of a module and of what it always loads, those of others first. */
function stylesOf(manifest: Manifest, name: string): string[] {
  const { css = [], imports = [] } = manifest[name] ?? {}
  return [...new Set([...imports.flatMap((each) => stylesOf(manifest, each)), ...css])]
}
