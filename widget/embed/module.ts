import { start } from './start.ts'

export { mount, open } from './index.ts'

/** `widget.mjs`, for `import` from Checkstand: like `widget.js`, without the global. */
start(import.meta.url)
