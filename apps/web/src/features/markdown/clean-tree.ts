import { withoutDirection } from '../../lib/texts/without-direction.ts'

interface Node {
  type?: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: readonly Node[]
}

/**
 * Removes marks of writing direction from parsed Markdown, including those written as character references, since these elements do not pass through
 * the JSX of the pages. Code blocks are unchanged.
 */
export function cleanTree() {
  return (root: Node): void => {
    const waiting = [root]
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (node.type === 'text' && node.value !== undefined) node.value = withoutDirection(node.value)
      for (const name of ['title', 'alt']) {
        const value = node.properties?.[name]
        if (typeof value === 'string') node.properties![name] = withoutDirection(value)
      }
      if (node.tagName !== 'pre') for (const child of node.children ?? []) waiting.push(child)
    }
  }
}
