import { mount, open } from './index.ts'
import { start } from './start.ts'

/** `widget.js`, for `<script src>`. Defines the global `Checkstand`. */
declare global {
  interface Window {
    Checkstand?: { mount: typeof mount; open: typeof open }
  }
}

if (!window.Checkstand) {
  window.Checkstand = { mount, open }
  start((document.currentScript as HTMLScriptElement).src)
}
