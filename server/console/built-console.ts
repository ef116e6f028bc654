import { readFileSync } from 'node:fs'

/** The addresses of the script and the style sheets of a document. */
export interface BuiltDocument {
  script: string
  styles: readonly string[]
  /** What the script always loads, so that browsers need not read it first. */
  preloads: readonly string[]
}

export interface BuiltConsole {
  shell: BuiltDocument
  /** What the first screen of a section loads beside the shell, by the section's part of the address. */
  sections: Readonly<Record<string, Omit<BuiltDocument, 'script'>>>
  /** The frame in which the payer's page is previewed. */
  preview: BuiltDocument
  /** The address of the script of the sign-in pages. */
  signIn: string
}

interface Manifest {
  [source: string]: { file: string; css?: string[]; imports?: string[] }
}

/** Reads the manifest of the built console. Throws an Error that names the build command when it is missing. */
export function loadConsole(distUrl: URL): BuiltConsole {
  const manifest = readManifest(new URL('console/manifest.json', distUrl))
  const preview = readManifest(new URL('preview/manifest.json', distUrl))
  return {
    shell: documentOf(manifest, 'console/main.tsx'),
    sections: sectionsOf(manifest),
    preview: documentOf(preview, 'widget/preview/main.ts'),
    signIn: documentOf(manifest, 'console/sign-in.ts').script,
  }
}

function readManifest(file: URL): Manifest {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest
  } catch (error) {
    throw new Error('The console is not built yet: run `npm run build`', { cause: error })
  }
}

function documentOf(manifest: Manifest, entry: string): BuiltDocument {
  const built = manifest[entry]
  if (!built) throw new Error(`The built console has no ${entry}: run \`npm run build\``)
  const [script = '', ...preloads] = scriptsOf(manifest, entry)
  return { script, styles: stylesOf(manifest, entry), preloads }
}

/** A section is a folder of screens, and its first screen has the folder's name. */
function sectionsOf(manifest: Manifest): BuiltConsole['sections'] {
  const screens = Object.keys(manifest).flatMap((name) => {
    const [, section = '', screen = ''] = /^console\/screens\/(\w+)\/(\w+)\.tsx$/.exec(name) ?? []
    return section !== '' && screen.toLowerCase() === section ? [[section, name] as const] : []
  })
  return Object.fromEntries(
    screens.map(([section, name]) => [
      section,
      { styles: stylesOf(manifest, name), preloads: scriptsOf(manifest, name) },
    ]),
  )
}

/** The scripts of a module and of what it always loads, its own first. */
function scriptsOf(manifest: Manifest, name: string): string[] {
  return loadedWith(manifest, name).map((each) => `/${manifest[each]?.file ?? ''}`)
}

/** The style sheets of a module and of what it always loads, those of others first. */
function stylesOf(manifest: Manifest, name: string): string[] {
  const loaded = loadedWith(manifest, name).toReversed()
  const files = loaded.flatMap((each) => manifest[each]?.css ?? [])
  return [...new Set(files)].map((file) => `/${file}`)
}

/** Returns a module and all that it imports, each once, itself first. */
function loadedWith(manifest: Manifest, name: string): string[] {
  const loaded = new Set([name])
  // A set that grows is walked to its end.
  for (const each of loaded) {
    for (const imported of manifest[each]?.imports ?? []) loaded.add(imported)
  }
  return [...loaded]
}
