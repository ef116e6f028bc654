/**
 * State that tells when it changes. The page is small enough to be drawn whole after every change,
 * so nothing here keeps track of who read what: that bookkeeping was a tenth of the page.
 */

export interface ReadonlySignal<T> {
  readonly value: T
}

export interface Signal<T> extends ReadonlySignal<T> {
  value: T
}

const effects = new Set<() => void>()
let told = false

/** A value that is kept until the next is set; setting the same one again changes nothing. */
export function signal<T>(first: T): Signal<T> {
  let current = first
  return {
    get value() {
      return current
    },
    set value(next) {
      if (Object.is(next, current)) return
      current = next
      tell()
    },
  }
}

/** A value that follows from others. It is worked out when it is read. */
export function computed<T>(work: () => T): ReadonlySignal<T> {
  return {
    get value() {
      return work()
    },
  }
}

/**
 * Runs `act` now, and again once the present task has made all its changes. Answers how to end
 * it.
 */
export function effect(act: () => void): () => void {
  effects.add(act)
  act()
  return () => effects.delete(act)
}

function tell(): void {
  if (told) return
  told = true
  queueMicrotask(() => {
    told = false
    for (const act of effects) act()
  })
}
