/** The members of a request, as Stripe reads them: texts, lists and objects. */
export interface FormBody {
  [member: string]: string | FormBody | (string | FormBody)[]
}

/** Parses a form whose names are paths, such as `metadata[order]=7` and `expand[0]=customer`. */
export function parseForm(text: string): FormBody {
  const body: FormBody = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]\[|\]/).filter((part, at) => part !== '' || at === 0)
    let target = body as Record<string, unknown>
    for (const part of path.slice(0, -1)) {
      target = (target[part] ??= {}) as Record<string, unknown>
    }
    target[path.at(-1) as string] = value
  }
  return withLists(body) as FormBody
}

/** An object whose names count from 0 is a list. */
function withLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, withLists(member)] as const)
  const isList = members.length > 0 && members.every(([name], at) => name === String(at))
  return isList ? members.map(([, member]) => member) : Object.fromEntries(members)
}

/** A member of a form that is a text. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined
/** A member of a form with members of its own. */
export const object = (value: unknown): FormBody =>
  typeof value === 'object' ? (value as FormBody) : {}
