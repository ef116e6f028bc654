import type { Place } from './marks.ts'

/** A button over each sentence of the page, by which it is chosen. */

export interface Overlay {
  /** Puts a button over each place that has a box. Returns the ids that have one. */
  show: (
    places: readonly Place[],
    look: { chosen: string | null; own: ReadonlySet<string>; stale: ReadonlySet<string> },
  ) => Set<string>
}

/** `choose` is called with the id of the sentence that is pressed. */
export function createOverlay(host: HTMLElement, choose: (id: string) => void): Overlay {
  let shown: readonly Place[] = []
  const buttons = new Map<string, HTMLButtonElement[]>()

  host.addEventListener('click', ({ target }) => {
    const id = target instanceof HTMLElement ? target.dataset['id'] : undefined
    if (id !== undefined) choose(id)
  })
  new ResizeObserver(() => place()).observe(document.body)
  addEventListener('scroll', () => place(), { passive: true, capture: true })

  function place(): void {
    // All is measured before anything moves, since each move makes the next measure lay out the page.
    for (const [at, box] of shown.map((each) => [each, seenBox(each, host)] as const)) {
      for (const button of buttons.get(keyOf(at)) ?? []) put(button, box)
    }
  }

  return {
    show(places, { chosen, own, stale }) {
      const seen = new Set<string>()
      const kept = new Set<string>()
      shown = places
      const measured = places.flatMap((at) => {
        const box = boxOf(at)
        return box ? [{ at, box: isCovered(at, box, host) ? undefined : box }] : []
      })
      for (const { at, box } of measured) {
        seen.add(at.id)
        const key = keyOf(at)
        kept.add(key)
        const [button = newButton()] = buttons.get(key) ?? []
        buttons.set(key, [button])
        button.dataset['id'] = at.id
        button.ariaLabel = textOf(at)
        button.ariaPressed = String(at.id === chosen)
        button.classList.toggle('own', own.has(at.id))
        button.classList.toggle('stale', stale.has(at.id))
        put(button, box)
      }
      for (const [key, own] of buttons) {
        if (kept.has(key)) continue
        for (const button of own) button.remove()
        buttons.delete(key)
      }
      return seen
    },
  }

  function newButton(): HTMLButtonElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'sentence'
    host.append(button)
    return button
  }
}

const numbers = new WeakMap<Node, number>()
let last = 0

/** A name of the place that stays the same while its node does. */
function keyOf(at: Place): string {
  const node = 'node' in at ? at.node : at.element
  const number = numbers.get(node) ?? (last += 1)
  numbers.set(node, number)
  return 'node' in at ? `${number} ${at.from} ${at.id}` : `${number} ${at.attribute} ${at.id}`
}

function textOf(at: Place): string {
  if ('node' in at) return at.node.data.slice(at.from, at.to)
  return at.element.getAttribute(at.attribute) ?? ''
}

/** The attributes that are painted as a text. */
const PAINTED: ReadonlySet<string> = new Set(['placeholder', 'value'])

/** The box of a place in the document, or undefined for one that is not seen. */
function boxOf(at: Place): DOMRect | undefined {
  if (!('node' in at)) {
    return PAINTED.has(at.attribute) ? visible(at.element.getBoundingClientRect()) : undefined
  }
  return isHidden(at.node) ? undefined : visible(rangeOf(at).getBoundingClientRect())
}

/** The part of a text node that a sentence is. */
export function rangeOf({ node, from, to }: Extract<Place, { node: Text }>): Range {
  const range = document.createRange()
  range.setStart(node, Math.min(from, node.length))
  range.setEnd(node, Math.min(to, node.length))
  return range
}

/** Text for screen readers alone is drawn into a box of one pixel. */
export function isHidden({ parentElement }: Node): boolean {
  const hidden = parentElement?.closest('.visually-hidden, option, title, noscript')
  return hidden !== null && hidden !== undefined
}

function visible(box: DOMRect): DOMRect | undefined {
  return box.width > 1 && box.height > 1 ? box : undefined
}

/** The box of a place that is not covered. */
function seenBox(at: Place, host: HTMLElement): DOMRect | undefined {
  const box = boxOf(at)
  return box && isCovered(at, box, host) ? undefined : box
}

/** Whether another part of the page lies over a place, such as the bar with the button. */
function isCovered(at: Place, box: DOMRect, host: HTMLElement): boolean {
  const owner = 'node' in at ? at.node.parentElement : at.element
  const top = document
    .elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    .find((element) => !host.contains(element))
  return top !== undefined && owner !== null && !top.contains(owner) && !owner.contains(top)
}

function put(button: HTMLElement, box: DOMRect | undefined): void {
  button.hidden = box === undefined
  if (!box) return
  button.style.translate = `${box.left + scrollX - 4}px ${box.top + scrollY - 2}px`
  button.style.width = `${box.width + 8}px`
  button.style.height = `${box.height + 4}px`
}
