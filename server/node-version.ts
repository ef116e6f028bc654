/**
 * Throws if Node is older than the `engines` of package.json, such as `>=22.18`. Must be called
 * before any newer API is used.
 */
export function assertNodeVersion(version: string, engines: string): void {
  const [major = 0, minor = 0] = numbers(version)
  const [leastMajor = 0, leastMinor = 0] = numbers(engines)
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return
  throw new Error(
    `Checkstand needs Node ${leastMajor}.${leastMinor} or newer; this is Node ${version}`,
  )
}

function numbers(version: string): number[] {
  return (version.match(/\d+/g) ?? []).map(Number)
}
