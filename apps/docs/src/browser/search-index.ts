import MiniSearch from 'minisearch'
import type { SearchEntry } from '../search-text.ts'

export interface SearchResult {
  address: string
  title: string
  heading: string
  /** Part of the text around the first word that was found. */
  excerpt: string
}

const maxFound = 20
const excerptLength = 160

/** The search over all sections: words by their beginnings and with small errors, titles and headings before texts. */
export function createSearchIndex(entries: readonly SearchEntry[]): (query: string) => SearchResult[] {
  const index = new MiniSearch<{ id: number; title: string; heading: string; text: string }>({
    fields: ['title', 'heading', 'text'],
    searchOptions: { prefix: true, fuzzy: (term) => (term.length > 4 ? 0.2 : false), combineWith: 'AND', boost: { title: 4, heading: 3 } },
  })
  index.addAll(entries.map(([, title, heading, text], id) => ({ id, title, heading, text })))
  return (query) =>
    index
      .search(query)
      .slice(0, maxFound)
      .flatMap(({ id, terms }) => {
        const entry = entries[id as number]
        if (!entry) return []
        const [address, title, heading, text] = entry
        return [{ address, title, heading, excerpt: excerptOf(text, terms) }]
      })
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((at) => at !== -1)
  const start = Math.max(0, Math.min(...places, text.length) - 40)
  const from = places.length === 0 ? 0 : start
  const part = text.slice(from, from + excerptLength)
  return `${from > 0 ? '…' : ''}${part}${from + excerptLength < text.length ? '…' : ''}`
}
