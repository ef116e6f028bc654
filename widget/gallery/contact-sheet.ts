import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A screenshot of the contact sheet. */
export interface Screenshot {
  state: string
  size: string
  scheme: string
  language: string
  file: string
}

/** Writes a page with all screenshots, one row for each state. */
export async function writeContactSheet(
  folder: string,
  screenshots: readonly Screenshot[],
): Promise<string> {
  const states = [...new Set(screenshots.map(({ state }) => state))]
  const rows = states.map((state) => {
    const cells = screenshots
      .filter((screenshot) => screenshot.state === state)
      .map(
        ({ size, scheme, language, file }) =>
          `<figure class="${size}"><img loading="lazy" src="${file}" alt="">` +
          `<figcaption>${size}, ${scheme}, ${language}</figcaption></figure>`,
      )
    return `<section id="${state}"><h2>${state}</h2><div>${cells.join('')}</div></section>`
  })
  const links = states.map((state) => `<a href="#${state}">${state}</a>`).join(' ')
  const file = join(folder, 'index.html')
  await writeFile(
    file,
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Every state of the page</title>
<style>${STYLE}</style><nav>${links}</nav>${rows.join('\n')}</html>`,
  )
  return file
}

const STYLE = `
body { margin: 0; padding: 1rem; background: #888; font: 14px/1.5 system-ui, sans-serif; }
nav { position: sticky; top: 0; padding: 0.5rem; background: #fff; border-radius: 8px; }
nav a { margin-right: 0.75rem; }
section > div { display: flex; gap: 1rem; overflow-x: auto; align-items: start; }
figure { margin: 0; flex: none; }
img { display: block; border-radius: 8px; }
.phone img { width: 260px; }
.narrow img { width: 213px; }
.desk img { width: 640px; }
`
