import { readFile } from 'node:fs/promises'

/** A guide as a page. */
export interface Guide {
  /** Its address is `/docs/{name}`. */
  name: string
  title: string
  /** Trusted: made of our own files. */
  html: string
}

export interface GuideGroup {
  title: string
  guides: { name: string; about: string }[]
}

/** What is found by a search: a heading and the text below it. */
export interface GuideSection {
  guide: string
  /** The id of the heading; empty for the beginning of a guide. */
  id: string
  title: string
  text: string
}

/** What `scripts/build-docs.ts` writes. */
export interface BuiltDocs {
  /** Addresses of files. */
  css: string
  scalar: string
  /** Runs before `scalar`. */
  storage: string
  groups: GuideGroup[]
  guides: Guide[]
  sections: GuideSection[]
}

/** Reads the built guides. Throws an Error that names the build command when they are missing. */
export async function readBuiltDocs(dist: URL): Promise<BuiltDocs> {
  const text = await readFile(new URL('docs/docs.json', dist), 'utf8').catch((cause: unknown) => {
    throw new Error('The guides are not built yet: run `npm run build`', { cause })
  })
  return JSON.parse(text) as BuiltDocs
}
