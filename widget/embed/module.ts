import { start } from './start.ts'

export { mount, open } from './index.ts'

/** `widget.mjs`, for `import` from Checkstand itself: the same as `widget.js`, without a global. */
start(import.meta.url)
