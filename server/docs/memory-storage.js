// Runs before the reference, whose sandboxed document has no storage: what it keeps, it keeps until it is closed.
for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map()
  Object.defineProperty(globalThis, name, {
    value: {
      getItem: (key) => kept.get(String(key)) ?? null,
      setItem: (key, value) => void kept.set(String(key), String(value)),
      removeItem: (key) => void kept.delete(String(key)),
      clear: () => kept.clear(),
      key: (at) => [...kept.keys()][at] ?? null,
      get length() {
        return kept.size
      },
    },
  })
}
