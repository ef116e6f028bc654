import type { Strings } from '../../shared/rules/wording.ts'

/**
 * Finds the sentences of a drawn page. Each string of the bundle is put between two characters of the
 * private use area, which tell its id; after the drawing, and before it is painted, they are taken out and
 * remembered as places. The page itself knows nothing of it.
 */

/** Ends a sentence. The characters after it each begin the sentence of an id, in the order of the ids. */
const END = 0xe000
const FIRST = 0xe100
const LAST = 0xf8ff
const MARK = /[\ue000-\uf8ff]/
const MARKS = /[\ue000-\uf8ff]/g

/** Where a sentence is: in a text node from one offset to another, or in an attribute. */
export type Place =
  | { id: string; node: Text; from: number; to: number }
  | { id: string; element: Element; attribute: string }

/** Returns the strings, each between the marks of its id. Ids beyond the private use area stay unmarked. */
export function markStrings(strings: Strings, ids: readonly string[]): Strings {
  const marked: Record<string, string> = { ...strings }
  for (const [at, id] of ids.entries()) {
    const text = strings[id]
    if (text === undefined || text === '' || FIRST + at > LAST) continue
    marked[id] = String.fromCharCode(FIRST + at) + text + String.fromCharCode(END)
  }
  return marked
}

/** Returns a text without marks, and the sentences in it. A sentence within another ends first. */
export function readMarks(
  text: string,
  ids: readonly string[],
): { text: string; sentences: { id: string; from: number; to: number }[] } {
  const sentences: { id: string; from: number; to: number }[] = []
  const open: { id: string; from: number }[] = []
  let plain = ''
  for (const character of text) {
    const code = character.charCodeAt(0)
    if (!MARK.test(character)) plain += character
    else if (code !== END) open.push({ id: ids[code - FIRST] ?? '', from: plain.length })
    else {
      const begun = open.pop()
      if (begun) sentences.push({ ...begun, to: plain.length })
    }
  }
  return { text: plain, sentences: sentences.toSorted((a, b) => a.from - b.from || b.to - a.to) }
}

/** Returns a text without marks. */
export const withoutMarks = (text: string): string => text.replace(MARKS, '')

/** The places of a page that is drawn again and again. */
export function createPlaces(root: Element, ids: readonly string[]) {
  const inText = new Map<Text, { text: string; places: Place[] }>()
  const inAttribute = new Map<Element, Map<string, Place[]>>()

  function readText(node: Text): void {
    const { data } = node
    if (!MARK.test(data)) {
      if (inText.get(node)?.text !== data) inText.delete(node)
      return
    }
    const { text, sentences } = readMarks(data, ids)
    node.data = text
    const places = sentences.map((sentence) => ({ ...sentence, node }))
    inText.set(node, { text, places })
  }

  function readAttributes(element: Element): void {
    for (const { name, value } of element.attributes) {
      if (!MARK.test(value)) continue
      const { text, sentences } = readMarks(value, ids)
      element.setAttribute(name, text)
      const own = inAttribute.get(element) ?? new Map<string, Place[]>()
      own.set(
        name,
        sentences.map(({ id }) => ({ id, element, attribute: name })),
      )
      inAttribute.set(element, own)
    }
  }

  return {
    /** Takes out the marks of what was drawn since, and returns all places in the order of the page. */
    collect(): Place[] {
      const places: Place[] = []
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node instanceof Text) {
          readText(node)
          places.push(...(inText.get(node)?.places ?? []))
        } else if (node instanceof Element) {
          readAttributes(node)
          for (const own of inAttribute.get(node)?.values() ?? []) places.push(...own)
        }
      }
      return places
    },
  }
}
