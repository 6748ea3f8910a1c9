import { split } from '../python/strings.ts'
import { unescapeHtml } from '../python/unescape-html.ts'

/** Markup's `striptags`: without comments and tags, with one blank for each run of white space, and with decoded character references. */
export function stripTags(text: string): string {
  return unescapeHtml(split(withoutTags(withoutComments(text)), null, -1).join(' '))
}

const opening = '<!--'
const closing = '-->'

/** Removing a comment may join its surroundings to another one, so the search restarts in the text before it. */
function withoutComments(text: string): string {
  let rest = text
  let from = 0
  for (;;) {
    const start = rest.indexOf(opening, from)
    const end = start < 0 ? -1 : rest.indexOf(closing, start)
    if (end < 0) return rest
    rest = rest.slice(0, start) + rest.slice(end + closing.length)
    from = Math.max(0, start - opening.length + 1)
  }
}

function withoutTags(text: string): string {
  const kept: string[] = []
  let at = 0
  for (;;) {
    const start = text.indexOf('<', at)
    const end = start < 0 ? -1 : text.indexOf('>', start)
    if (end < 0) return kept.join('') + text.slice(at)
    kept.push(text.slice(at, start))
    at = end + 1
  }
}
