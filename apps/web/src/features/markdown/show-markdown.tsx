import './markdown.css'
import { type ReactNode, useMemo } from 'react'
import Markdown, { type Components } from 'react-markdown'
import gfm from 'remark-gfm'
import { Tag } from '../../ui/badge.tsx'
import { LongText } from '../../ui/texts/long-text.tsx'
import { cleanTree } from './clean-tree.ts'
import { useConfirm } from '../../ui/confirm/confirm.tsx'

/**
 * Markdown as elements of the page. Markup in it is shown as text, images are named and never loaded, and a link requires confirmation before it
 * opens. A text that is nested too deeply to be laid out is shown unformatted.
 */
export function ShowMarkdown({ text, label, look }: { text: string; label: string; look?: 'box' | 'prose' }) {
  const content = useMemo(() => toElements(text), [text])
  if (content === undefined) return <LongText label={label} text={text} look={look ?? 'box'} />
  if (look === 'prose') {
    return (
      <div className="markdown prose" role="region" aria-label={label}>
        {content}
      </div>
    )
  }
  return (
    <div className="markdown in-box" role="region" aria-label={label} tabIndex={0}>
      {content}
    </div>
  )
}

function toElements(text: string): ReactNode | undefined {
  try {
    return Markdown({ children: text, remarkPlugins: [gfm], rehypePlugins: [limitDepth, cleanTree], components })
  } catch {
    return undefined
  }
}

const components: Components = {
  a: ({ href, children }) => <Foreign href={href}>{children}</Foreign>,
  img: ({ alt, src }) => <Tag>{`image ${alt ?? ''} ${typeof src === 'string' ? src : ''}`}</Tag>,
  // Headings of a text are not headings of the page.
  ...Object.fromEntries(
    ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [
      name,
      ({ children }: { children?: ReactNode }) => <p className={`markdown-${name}`}>{children}</p>,
    ]),
  ),
  // Boxes of a list of tasks are marks, not controls.
  input: ({ checked }) => (checked === true ? '☑ ' : '☐ '),
}

/** A link to another site: traces may contain anyone's text, so its target is shown before it opens. */
function Foreign({ href, children }: { href: string | undefined; children?: ReactNode }) {
  const confirm = useConfirm()
  if (!href || !/^https?:\/\//i.test(href)) return <span data-tip={href}>{children}</span>
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      data-tip={href}
      onClick={(event) => {
        event.preventDefault()
        const question = { text: `Open ${href} in a new tab? It comes from the content of a call.`, confirm: 'Open' }
        void confirm(question).then((isConfirmed) => isConfirmed && window.open(href, '_blank', 'noopener,noreferrer'))
      }}
    >
      {children}
    </a>
  )
}

interface Node {
  children?: readonly Node[]
}

/** Pages that are nested deeper take a browser long to lay out; extremely deep ones crash it. */
const maxDepth = 40

/** A step of the reading of Markdown that fails for a text that is nested too deeply. */
function limitDepth() {
  return (root: Node): void => {
    let level: readonly Node[] = [root]
    for (let depth = 0; level.length > 0; depth++) {
      if (depth > maxDepth) throw new RangeError(`nested more than ${maxDepth} times`)
      level = level.flatMap(({ children = [] }) => children)
    }
  }
}
