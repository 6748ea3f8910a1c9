import type { Target } from './targets.ts'

const name = 'heddle.recent'
/** Content of another version is dropped. */
const version = 1
const maxPages = 10
const maxTitleCharacters = 120

/** The pages that were open in this tab, the last one first. Empty if the stored list cannot be read. */
export function readRecentPages(store: Pick<Storage, 'getItem'>): Target[] {
  try {
    const { version: stored, pages } = Object(JSON.parse(store.getItem(name) ?? 'null')) as { version?: unknown; pages?: unknown }
    return stored === version && Array.isArray(pages) ? pages.flatMap(toTarget).slice(0, maxPages) : []
  } catch {
    return []
  }
}

export function noteRecentPage(store: Pick<Storage, 'getItem' | 'setItem'>, { href, title }: Pick<Target, 'href' | 'title'>): void {
  const pages = [{ href, title: title.slice(0, maxTitleCharacters) }, ...readRecentPages(store).filter((page) => page.href !== href)]
  try {
    store.setItem(
      name,
      JSON.stringify({ version, pages: pages.slice(0, maxPages).map((page) => ({ href: page.href, title: page.title })) }),
    )
  } catch {
    // A browser that stores nothing has no recent pages.
  }
}

function toTarget(value: unknown): Target[] {
  const { href, title } = Object(value) as { href?: unknown; title?: unknown }
  // Only paths of this server: the stored list was written by a page, but may have been changed.
  const isPath = typeof href === 'string' && /^\/(?![/\\])/.test(href)
  return isPath && typeof title === 'string' ? [{ href, title, kind: 'recent' }] : []
}
