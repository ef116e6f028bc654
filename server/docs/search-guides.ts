import MiniSearch from 'minisearch'
import type { GuideSection } from './built-docs.ts'

export interface FoundSection extends GuideSection {
  /** The part of the text around the first word that was found. */
  excerpt: string
}

const RESULTS_MAX = 30
const EXCERPT_LENGTH = 180

/** Returns a search of the guides. Its index is made by the first question. */
export function createGuideSearch(sections: readonly GuideSection[]) {
  let index: MiniSearch | undefined
  const fill = () => {
    const made = new MiniSearch({
      fields: ['title', 'text'],
      searchOptions: { boost: { title: 4 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
    })
    made.addAll(sections.map(({ title, text }, id) => ({ id, title, text })))
    return made
  }
  return (query: string): FoundSection[] => {
    index ??= fill()
    return index
      .search(query)
      .slice(0, RESULTS_MAX)
      .flatMap(({ id, terms }) => {
        const section = sections[id as number]
        return section ? [{ ...section, excerpt: excerptOf(section.text, terms) }] : []
      })
  }
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - 60)
  const begin = from === 0 || places.length === 0 ? 0 : text.indexOf(' ', from) + 1
  const part = text.slice(begin, begin + EXCERPT_LENGTH)
  return `${begin > 0 ? '… ' : ''}${part}${begin + EXCERPT_LENGTH < text.length ? ' …' : ''}`
}
