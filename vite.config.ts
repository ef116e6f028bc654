import { availableParallelism } from 'node:os'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { icons } from './console/build/icons.ts'
import { testProjects } from './test/projects.ts'

// One file for the two tools that share Vite: the page is built twice (for the browser and for the
// server, which renders it first), the embed script twice (as a script and as a module), the server
// into a few files that start in half the time, and the tests run in projects, once per database.

const EMBED = { embed: 'script', 'embed-module': 'module' } as const

const isEmbed = (mode: string): mode is keyof typeof EMBED => Object.hasOwn(EMBED, mode)

/** The embed script has nothing to split, and a name that merchants write into their pages. */
function embedBuild(mode: keyof typeof EMBED) {
  const script = mode === 'embed'
  return {
    outDir: `dist/embed/${EMBED[mode]}`,
    emptyOutDir: true,
    target: ['es2022', 'chrome108', 'firefox108', 'safari16'],
    modulePreload: false as const,
    rollupOptions: {
      input: `widget/embed/${EMBED[mode]}.ts`,
      preserveEntrySignatures: 'strict' as const,
      output: script
        ? { format: 'iife' as const, entryFileNames: 'widget.js' }
        : { format: 'es' as const, entryFileNames: 'widget.mjs' },
    },
  }
}

/** The page of customers' tasks is built apart, so that the page of payments stays as small as it is. */
const taskBuild = {
  outDir: 'dist/task',
  emptyOutDir: true,
  manifest: 'manifest.json' as const,
  target: ['es2022', 'safari15', 'chrome100', 'firefox100'],
  modulePreload: false as const,
  rollupOptions: { input: 'widget/task/main.tsx' },
}

/**
 * What the console needs before it shows a screen, and what most screens are made of: one file, since a
 * slow network waits for each. What these modules import is in it, too.
 */
const START = /console.(main|ui|list|api)[/.-](?!passkeys)|customers.customer-name/

/** What screens of a section share is one file of its name, such as `links`; deep links are a section of their own. */
function sectionParts(id: string): string | undefined {
  if (/deep-?link/i.test(id)) return 'deep-links'
  return /console.screens.(\w+).[\w-]+\.tsx?$/.exec(id)?.[1]
}

/** The merchants' console, whose chunks carry their style sheets. */
const consoleBuild = {
  outDir: 'dist/console',
  emptyOutDir: true,
  manifest: 'manifest.json' as const,
  target: ['es2023', 'chrome120', 'firefox121', 'safari17.2'],
  modulePreload: { polyfill: false },
  rollupOptions: {
    input: ['console/main.tsx', 'console/sign-in.ts'],
    output: {
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          { name: 'main', test: START, priority: 2, includeDependenciesRecursively: true },
          { name: 'languages', test: /console.shipped-languages/, priority: 1 },
          { name: sectionParts, minShareCount: 2, includeDependenciesRecursively: true },
        ],
      },
    },
  },
}

/** The frame of the console's preview, which shares no file with the console around it. */
const previewBuild = {
  outDir: 'dist/preview',
  emptyOutDir: true,
  manifest: 'manifest.json' as const,
  target: consoleBuild.target,
  modulePreload: false as const,
  rollupOptions: { input: 'widget/preview/main.ts' },
}

/** What is native, or looks for parts of itself by name. */
const LEFT_OUTSIDE = ['better-sqlite3', 'pg', 'pino']

const serverBuild = {
  ssr: true,
  outDir: 'dist/server',
  emptyOutDir: true,
  target: 'node22',
  // The worker is a file of its own, because a thread begins with a file.
  rollupOptions: { input: ['server/main.ts', 'server/index.ts', 'server/db/read-worker.ts'] },
}

const renderBuild = {
  ssr: true,
  outDir: 'dist/render',
  cssMinify: true,
  emptyOutDir: true,
  target: 'node22',
  rollupOptions: {
    input: { render: 'widget/page/render.tsx', 'render-task': 'widget/task/render.tsx' },
    // The server loads all of it at the start, which takes longer from many files. The inputs wait for
    // parts of it, so they stay apart.
    output: { codeSplitting: { groups: [{ name: 'parts', test: /(?<!\/render)\.tsx?$/ }] } },
  },
}

const pageBuild = {
  outDir: 'dist/page',
  emptyOutDir: true,
  manifest: 'manifest.json' as const,
  target: ['es2022', 'safari15', 'chrome100', 'firefox100'],
  modulePreload: false as const,
  rollupOptions: {
    input: 'widget/page/main.tsx',
    // What the page's parts share with it stays in it: one request, not two.
    output: {
      // Every hash is in the script and in the import map of every page.
      chunkFileNames: 'assets/[name]-[hash:6].js',
      codeSplitting: {
        groups: [{ name: 'main', test: /widget\/page\/main\.tsx$/, priority: 1 }],
      },
    },
  },
}

function buildOf(mode: string, isSsrBuild = false) {
  if (isEmbed(mode)) return embedBuild(mode)
  if (mode === 'server') return serverBuild
  if (mode === 'console') return consoleBuild
  if (mode === 'preview') return previewBuild
  if (mode === 'task') return taskBuild
  return isSsrBuild ? renderBuild : pageBuild
}

/** A part that is loaded through `__vitePreload`, minified. Its name is short, which bounds the search. */
const PRELOADED_IMPORT = /\b\w{1,3}\(\(\)=>(import\(`[^`]+`\)(?:\.then\(e=>e\.\w{1,3}\))?),\[\]\)/g

/**
 * Returns a UTF-16 code unit as source code may write it in strings, patterns and names. `String.raw` keeps
 * it as it is written, which a RegExp reads alike.
 */
const escapeUnit = (unit: string): string =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

const DEVELOPER_TOOLS = /"undefined"!=typeof window&&!!window\.__PREACT_SIGNALS_DEVTOOLS__/

// Loaded for tests alone, since it brings all of Vitest.
const sequence = process.env['VITEST']
  ? { sequencer: (await import('./test/longest-first.ts')).LongestFirst }
  : {}

export default defineConfig(({ isSsrBuild, mode }) => ({
  oxc: { jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' } },
  build: { ...buildOf(mode, isSsrBuild), license: { fileName: 'bundled.json' } },
  plugins: [
    icons(),
    {
      // Preact's `h` is in the page already, and the automatic runtime would come on top of it.
      name: 'import-h',
      enforce: 'pre',
      transform: (code, id) =>
        id.endsWith('.tsx') ? `import { Fragment, h } from 'preact';${code}` : undefined,
    },
    {
      // No payer has the developer tools that the library would report to.
      name: 'leave-out-developer-tools',
      transform: (code, id) =>
        id.includes('@preact/signals') ? code.replace(DEVELOPER_TOOLS, 'false') : undefined,
    },
    {
      // The compiler of style sheets prepares for `light-dark()`, which the payer's page does without.
      name: 'leave-out-unused-schemes',
      generateBundle: (_options, bundle) => {
        if (mode === 'console') return
        for (const file of Object.values(bundle)) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue
          file.source = String(file.source).replace(/--lightningcss-(light|dark):[^;]*;/g, '')
        }
      },
    },
    {
      // V8 reads a file of ASCII alone in half the memory and 20 ms less.
      name: 'escape-non-ascii',
      generateBundle: (_options, bundle) => {
        if (mode !== 'server') return
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escapeUnit)
        }
      },
    },
    {
      // npm makes the program executable when it links it, and a later build writes a new file.
      name: 'make-program-executable',
      writeBundle: async ({ dir = '' }, bundle) => {
        if (mode === 'server' && 'main.js' in bundle) await chmod(join(dir, 'main.js'), 0o755)
      },
    },
    {
      // Vite's own loader of parts takes care of style sheets that ours do not have.
      name: 'load-parts-plainly',
      enforce: 'pre',
      load: (id) =>
        mode !== 'console' && id.endsWith('vite/preload-helper.js')
          ? 'export const __vitePreload = (load) => load()'
          : undefined,
      generateBundle: {
        order: 'post',
        handler: (_options, bundle) => {
          if (isSsrBuild || mode === 'console') return
          for (const file of Object.values(bundle)) {
            if (file.type === 'chunk') file.code = file.code.replace(PRELOADED_IMPORT, '$1')
          }
        },
      },
    },
  ],
  // The rendering bundle carries its packages, so that there is one copy of Preact in it; so does the
  // server, since finding a package's many files is most of what a start takes.
  ssr: { noExternal: true, external: mode === 'server' ? LEFT_OUTSIDE : [] },
  test: {
    // What takes time and proves nothing has a quick form in tests, of the same name.
    alias: ['password-cost.ts', 'read-program.ts'].map((file) => ({
      find: `./${file}`,
      replacement: join(import.meta.dirname, 'test', file),
    })),
    // What a guarantee takes is for the benches; a slow machine must not fail it.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Tests also wait, for processes and locks, so three workers keep two cores busy.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Node loads it as it is; transforming its files would take seconds.
    server: { deps: { external: [/\/node_modules\/stripe\//] } },
    setupFiles: ['test/setup.ts'],
    sequence,
    projects: testProjects(import.meta.dirname),
  },
}))
