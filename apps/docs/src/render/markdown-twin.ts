import type { Definition, Image, Link, Root } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import type { Page } from '../page.ts'
import { addressOf, type LinkResolver, resolveLink } from './resolve-link.ts'

const parser = unified().use(remarkParse).use(remarkGfm)

/**
 * The Markdown of a page, with links rewritten to the Markdown of other pages. Links to files of the repository are replaced by their text, since the
 * site has no such files. Everything else is unchanged.
 */
export function markdownTwin(page: Page, resolver: LinkResolver): string {
  const tree: Root = parser.parse(page.markdown)
  const edits: { start: number; end: number; text: string }[] = []
  visit(tree, ['link', 'image', 'definition'], (node) => {
    const { url, position } = node as Link | Image | Definition
    const start = position?.start.offset
    const end = position?.end.offset
    if (start === undefined || end === undefined) return
    const target = resolveLink(url, page, resolver)
    const address = addressOf(target, page, 'md')
    const text = page.markdown.slice(start, end)
    if (address !== undefined) edits.push({ start, end, text: replaceLast(text, url, address) })
    else if (target.kind === 'file' && node.type === 'link')
      edits.push({ start, end, text: text.replace(/^\[([\s\S]*)\]\([^)]*\)$/, '$1') })
  })
  return edits.reduceRight((text, { start, end, text: edited }) => text.slice(0, start) + edited + text.slice(end), page.markdown)
}

function replaceLast(text: string, found: string, replacement: string): string {
  const at = text.lastIndexOf(found)
  return at === -1 ? text : text.slice(0, at) + replacement + text.slice(at + found.length)
}
