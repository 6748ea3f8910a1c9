import type { Element, ElementContent, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import { h } from 'hastscript'
import rehypeHighlight from 'rehype-highlight'
import rehypeSlug from 'rehype-slug'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import type { Page } from '../page.ts'
import { addressOf, type LinkResolver, resolveLink } from './resolve-link.ts'

/** A heading of a page with the text below it, up to the next heading. */
export interface PageSection {
  /** Id of the heading; `''` for the text before the second heading. */
  id: string
  heading: string
  level: number
  text: string
}

export interface RenderedPage {
  content: Root
  sections: PageSection[]
}

// HTML in Markdown is left out.
const toTree = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeSlug).use(rehypeHighlight, { detect: false })

/** @throws Error for a dead link */
export function renderMarkdown(page: Page, resolver: LinkResolver): RenderedPage {
  const content = toTree.runSync(toTree.parse(page.markdown)) as Root
  visit(content, 'element', (element) => {
    if (element.tagName === 'a' && !('dataFootnoteRef' in element.properties)) completeLink(element, page, resolver)
    if (element.tagName === 'img') completeImage(element, page, resolver)
    if (element.tagName === 'pre') element.properties['tabIndex'] = 0
  })
  const sections = sectionsOf(content, page)
  content.children = content.children.map((child) => (child.type === 'element' && child.tagName === 'table' ? scrolledTable(child) : child))
  visit(content, 'element', (element) => {
    if (/^h[2-6]$/.test(element.tagName)) element.children.push(anchorTo(element))
  })
  return { content, sections }
}

function completeLink(element: Element, page: Page, resolver: LinkResolver): void {
  const url = String(element.properties['href'] ?? '')
  const target = resolveLink(url, page, resolver)
  if (target.kind === 'unchanged') {
    if (/^https?:/.test(url)) element.properties['rel'] = ['noreferrer']
    return
  }
  const address = addressOf(target, page, 'html')
  if (address !== undefined) element.properties['href'] = address
  else {
    element.tagName = 'span'
    element.properties = target.kind === 'file' ? { title: target.path } : {}
  }
}

function completeImage(element: Element, page: Page, resolver: LinkResolver): void {
  const address = addressOf(resolveLink(String(element.properties['src'] ?? ''), page, resolver), page, 'html')
  if (address === undefined) throw new Error(`${page.source} shows ${String(element.properties['src'])}, which is not a picture of docs/`)
  Object.assign(element.properties, { src: address, loading: 'lazy' })
}

const scrolledTable = (table: Element) =>
  h('div', { className: 'table', tabIndex: 0, role: 'region', ariaLabel: `Table: ${headOf(table) || 'values'}` }, table)

const headOf = (table: Element) => {
  const cells: string[] = []
  visit(table, 'element', ({ tagName, children }) => void (tagName === 'th' && cells.push(toString({ type: 'root', children }).trim())))
  return cells.filter((cell) => cell !== '').join(', ')
}

function anchorTo(heading: Element): ElementContent {
  const text = toString(heading)
  return h('a', { className: 'anchor', href: `#${String(heading.properties['id'])}`, ariaLabel: `Link to “${text}”` }, '#')
}

function sectionsOf(content: Root, page: Page): PageSection[] {
  const sections: PageSection[] = [{ id: '', heading: page.title, level: 1, text: '' }]
  for (const child of content.children) {
    if (child.type !== 'element') continue
    const [, level] = /^h([2-6])$/.exec(child.tagName) ?? []
    if (level !== undefined) sections.push({ id: String(child.properties['id']), heading: toString(child), level: Number(level), text: '' })
    else if (child.tagName !== 'h1') {
      const last = sections.at(-1)!
      last.text += `${textOf(child)}\n`
    }
  }
  return sections
}

/** With a space between cells, items and lines, which `toString` joins. */
function textOf(element: Element): string {
  const texts: string[] = []
  visit(element, (node, _index, parent) => {
    if (node.type === 'text') texts.push(node.value)
    if (parent?.type === 'element' && /^(?:td|th|li|p|tr|br)$/.test(parent.tagName) && parent.children[0] === node) texts.splice(-1, 0, ' ')
  })
  return texts.join('').replace(/\s+/g, ' ').trim()
}
