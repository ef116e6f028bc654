/** How this browser shows the console. */
export interface Preferences {
  theme: 'system' | 'light' | 'dark'
  density: 'normal' | 'compact'
}

const KEY = 'cs.preferences'
const DEFAULTS: Preferences = { theme: 'system', density: 'normal' }

export function readPreferences(): Preferences {
  try {
    return {
      ...DEFAULTS,
      ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>),
    }
  } catch {
    return DEFAULTS
  }
}

export function savePreferences(preferences: Preferences): void {
  localStorage.setItem(KEY, JSON.stringify(preferences))
  applyPreferences()
}

/** Puts the preferences into the document, where the style sheets find them. */
export function applyPreferences(): void {
  const { theme, density } = readPreferences()
  document.documentElement.dataset['theme'] = theme
  document.documentElement.dataset['density'] = density
}
