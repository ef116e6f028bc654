import { screenPath, type useInstance } from '../address.ts'
import { boot } from '../boot.ts'

/**
 * Returns the address of a section in the other mode: in the twin, else in an instance of the same name, else in the
 * first one of that mode; undefined without one. `path` is the present address.
 */
export function otherModePath(
  { mode, name, twin: key }: ReturnType<typeof useInstance>,
  path: string,
): string | undefined {
  const others = boot.instances.filter((instance) => instance.mode !== mode)
  const twin =
    others.find((instance) => instance.key === key) ??
    others.find((instance) => instance.name === name) ??
    others[0]
  const [, , , section = ''] = path.split('/')
  return twin && screenPath(twin.key, `/${section}`)
}
