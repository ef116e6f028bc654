import { h, render } from 'preact'
import type {
  FromPreview,
  PlacedSentence,
  PreviewDrawing,
  ToPreview,
} from '../../shared/preview-messages.ts'
import { intlLanguage, type Strings } from '../../shared/rules/wording.ts'
import { createCheckout, type Environment } from '../page/checkout.ts'
import { App } from '../page/components/App.tsx'
import { createForm } from '../page/form.ts'
import { loadAllChunks } from '../page/load-chunks.ts'
import { createPage } from '../page/page-context.ts'
import { screenTitle } from '../page/screen.ts'
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import '../page/page.css'
// oxlint-disable-next-line import/no-unassigned-import -- as above
import '../page/style/charges.css'
// oxlint-disable-next-line import/no-unassigned-import -- as above
import '../page/style/choice.css'
// oxlint-disable-next-line import/no-unassigned-import -- as above
import '../page/style/entity.css'
// oxlint-disable-next-line import/no-unassigned-import -- as above
import '../page/style/framed-fields.css'
import { SCENES } from '../scenes/scenes.ts'
import { createPlaces, markStrings, type Place, readMarks } from './marks.ts'
import { fitOf } from './fit.ts'
import { createOverlay } from './overlay.ts'
import { personalize } from './personalize.ts'
// oxlint-disable-next-line import/no-unassigned-import -- as above
import './preview.css'
import { showScheme } from './scheme.ts'

/** Draws the payer's own page in a frame of the console. It can call nothing, so it can pay nothing. */

const NOWHERE: Environment = {
  fetch: () => new Promise(() => {}),
  setTimer: () => () => {},
  tokens: { read: () => null, write: () => {} },
  newAttemptKey: () => '',
  now: () => Date.now(),
  navigate: () => {},
}

const tell = (message: FromPreview) => parent.postMessage(message, location.origin)

/** What is shown of a page outside of it: its card in a chat, and the button that closes its window. */
const AROUND = ['checkout.preview', 'a11y.close']

interface DrawnScene {
  /** The title of its document, with marks. */
  title: () => string
  /** Changes the strings of the page in its place. */
  setStrings: (strings: Strings) => void
}

const EMPTY: DrawnScene = { title: () => '', setStrings: () => {} }

/** The strings of a scene, each between the marks of its id. */
function stringsOf({ scene, strings, marked: ids }: PreviewDrawing): Strings {
  const marked = markStrings(strings, ids)
  return SCENES[scene]?.strings?.(marked) ?? marked
}

/** Draws a scene into `root`. */
function drawScene(root: HTMLElement, drawing: PreviewDrawing): DrawnScene {
  const scene = SCENES[drawing.scene]
  if (!scene) return EMPTY
  const strings = stringsOf(drawing)
  const environment = scene.framed ? { ...NOWHERE, framed: { origin: undefined } } : NOWHERE
  const shown = drawing.page
    ? { ...drawing.page, checkout: { ...drawing.page.checkout, strings } }
    : personalize(scene.model, { ...drawing, strings })
  const checkout = createCheckout(shown, environment)
  checkout.hydrated.value = true
  const page = createPage(checkout, createForm(checkout), () => {})
  scene.set?.(page)
  render(null, root)
  render(h(App, { page }), root)
  return {
    title: () => screenTitle(checkout.screen.value, checkout.checkout.value),
    setStrings(changed) {
      checkout.checkout.value = { ...checkout.checkout.value, strings: changed }
    },
  }
}

/** Whether two drawings differ in their sentences alone, so that the page can stay. */
function isSamePage(one: PreviewDrawing, other: PreviewDrawing): boolean {
  const pageOf = (drawing: PreviewDrawing) =>
    JSON.stringify({ ...drawing, strings: null, chosen: null, own: null, stale: null })
  return pageOf(one) === pageOf(other)
}

/** How many scenes are drawn before the frame may do something else. */
const DRAWN_AT_ONCE = 8

/** Draws a scene outside of the document. `found` returns the ids of its sentences, and ends it. */
function drawApart(drawing: PreviewDrawing) {
  const root = document.createElement('div')
  const places = createPlaces(root, drawing.marked)
  const title = drawScene(root, drawing).title()
  const found = () => {
    const shown = [...places.collect(), ...readMarks(title, drawing.marked).sentences]
    render(null, root)
    return new Set(shown.map(({ id }) => id))
  }
  return { scene: drawing.scene, found }
}

function start(root: HTMLElement, host: HTMLElement): void {
  const theme = new CSSStyleSheet()
  document.adoptedStyleSheets = [theme]
  const overlay = createOverlay(host, (id) => tell({ type: 'chosen', id }))
  let drawing: PreviewDrawing | undefined
  let places = createPlaces(root, [])
  let drawn = EMPTY
  let told = ''
  let search = 0
  let frame = 0
  let showing = 0
  let found: readonly Place[] = []

  // Also what the page draws by itself, before it is painted.
  const observer = new MutationObserver(collect)
  const observed = { subtree: true, childList: true, characterData: true, attributes: true }
  observer.observe(root, observed)

  function draw(next: PreviewDrawing): void {
    const before = drawing
    drawing = next
    if (before && isSamePage(before, next)) {
      drawn.setStrings(stringsOf(next))
      // What changes on the page is collected by the observer, which is sooner.
      frame = requestAnimationFrame(collect)
      return
    }
    theme.replaceSync(next.css)
    document.documentElement.lang = intlLanguage(next.language)
    document.documentElement.dir = next.direction
    places = createPlaces(root, next.marked)
    drawn = drawScene(root, next)
    showScheme(next.scheme)
    if (before?.scene !== next.scene) scrollTo(0, 0)
    collect()
  }

  /** Takes the marks out of the page before it is painted. What is said of its sentences can wait for the paint. */
  function collect(): void {
    cancelAnimationFrame(frame)
    found = places.collect()
    observer.takeRecords()
    showing ||= requestAnimationFrame(() => setTimeout(show))
  }

  function show(): void {
    showing = 0
    if (!drawing) return
    const { chosen, own, stale, marked } = drawing
    const seen = overlay.show(marked.length > 0 ? found : [], {
      chosen,
      own: new Set(own),
      stale: new Set(stale),
    })
    const ofTitle = readMarks(drawn.title(), marked)
    document.title = ofTitle.text
    const around = drawing.scene === 'form' ? AROUND : []
    const ids = new Set([...[...found, ...ofTitle.sentences].map(({ id }) => id), ...around])
    const sentences = [...ids].map((id): PlacedSentence => ({ id, seen: seen.has(id) }))
    const fit = fitOf(found.find(({ id }) => id === chosen))
    const message: FromPreview = { type: 'drawn', sentences, title: ofTitle.text, fit }
    const text = JSON.stringify(message)
    if (text === told) return
    told = text
    tell(message)
  }

  /** Draws every scene apart from the page, and tells in which of them each sentence is. */
  async function find(ids: readonly string[]): Promise<void> {
    const own = (search += 1)
    const scenes: Record<string, string[]> = Object.fromEntries(AROUND.map((id) => [id, ['form']]))
    const names = Object.keys(SCENES)
    for (let at = 0; at < names.length; at += DRAWN_AT_ONCE) {
      if (!drawing) return
      const batch = { ...drawing, marked: ids }
      const drawn = names
        .slice(at, at + DRAWN_AT_ONCE)
        .map((scene) => drawApart({ ...batch, scene }))
      // What the page draws by itself comes after the next frame.
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
      for (const { scene, found } of drawn) {
        for (const id of found()) (scenes[id] ??= []).push(scene)
      }
      // Another language has other sentences.
      if (search !== own) return
    }
    tell({ type: 'found', scenes })
  }

  addEventListener('message', ({ source, origin, data }: MessageEvent<ToPreview | null>) => {
    if (source !== parent || origin !== location.origin) return
    // Extensions of a browser, and tools of a test, also send messages to the frames of a page.
    if (data?.type === 'draw') draw(data.drawing)
    else if (data?.type === 'find') void find(data.ids)
  })
  const scenes = Object.entries(SCENES).map(([name, { group }]) => ({ name, group }))
  tell({ type: 'ready', scenes })
}

const root = document.getElementById('checkout')
const host = document.getElementById('sentences')
// Alone, in a window of its own, it has nothing to show.
if (root && host && parent !== window) void startOnceLoaded(root, host)

/** Starts when the parts of the page are there; without a connection, when there is one again. */
async function startOnceLoaded(...places: Parameters<typeof start>): Promise<void> {
  try {
    await loadAllChunks()
  } catch {
    addEventListener('online', () => void startOnceLoaded(...places), { once: true })
    return
  }
  start(...places)
}
