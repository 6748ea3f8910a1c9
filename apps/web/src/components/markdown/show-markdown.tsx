import './markdown.css'
import { type ReactNode, useMemo } from 'react'
import Markdown, { type Components } from 'react-markdown'
import gfm from 'remark-gfm'
import { LongText } from '../long-text.tsx'
import { limitDepth } from './limit-depth.ts'

/**
 * Markdown as elements of the page. Markup in it stays text, images are named and never loaded, and a link asks before it opens.
 * A text that is nested too deeply to be laid out stays as it was written.
 */
export function ShowMarkdown({ text, label }: { text: string; label: string }) {
  const content = useMemo(() => toElements(text), [text])
  if (content === undefined) return <LongText label={label} text={text} />
  return (
    <div className="markdown" role="region" aria-label={label} tabIndex={0}>
      {content}
    </div>
  )
}

function toElements(text: string): ReactNode | undefined {
  try {
    return Markdown({ children: text, remarkPlugins: [gfm], rehypePlugins: [limitDepth], components })
  } catch {
    return undefined
  }
}

const components: Components = {
  a: ({ href, children }) => <Foreign href={href}>{children}</Foreign>,
  img: ({ alt, src }) => <span className="tag">{`image ${alt ?? ''} ${typeof src === 'string' ? src : ''}`}</span>,
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

/** A link to another site: traces hold what anyone wrote, so where it leads is said before it opens. */
function Foreign({ href, children }: { href: string | undefined; children?: ReactNode }) {
  if (!href || !/^https?:\/\//i.test(href)) return <span title={href}>{children}</span>
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={href}
      onClick={(event) => {
        if (!window.confirm(`Open ${href} in a new tab? It comes from the content of a call.`)) event.preventDefault()
      }}
    >
      {children}
    </a>
  )
}
