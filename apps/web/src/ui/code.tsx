import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { CopyButton } from './copy-button.tsx'

/** Neither an address nor an option has comments, words or numbers in it. */
const words =
  /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)|(?<=^|\s)(#[^\n]*|\/\/[^\n]*)|(?<![\w.@-])(import|from|const|await|async|def|return|with|as|export|new|class|for|in|if|else|true|false|null|None|True|False|npm|pip|docker|curl)\b|(?<![\w./@-]|\d:)(\d+(?:\.\d+)?)\b/gm

/** A longer text is not coloured. */
const maxPainted = 20_000

/** Colours a short program. Text only: nothing of it becomes markup. */
function painted(code: string): ReactNode[] {
  const out: ReactNode[] = []
  let last = 0
  for (const match of code.matchAll(words)) {
    const [text, quoted, comment, word] = match
    const color = quoted ? 'var(--code-string)' : comment ? 'var(--fg-3)' : word ? 'var(--code-word)' : 'var(--code-number)'
    out.push(
      code.slice(last, match.index),
      <span key={match.index} style={{ color }}>
        {text}
      </span>,
    )
    last = match.index + text.length
  }
  return [...out, code.slice(last)]
}

interface Properties {
  code: string
  label: string
  /** Commands and texts wrap; a text has no colours. */
  look?: 'program' | 'commands' | 'text'
  className?: string
}

/** A program, commands or a text to copy. */
export function CodeBlock({ code, label, look = 'program', className }: Properties) {
  return (
    <div className={cx('relative rounded-lg border border-line bg-sunken', className)}>
      <div className="absolute top-1 right-1">
        <CopyButton text={code} label={`Copy ${label}`} />
      </div>
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className={cx('m-0 overflow-x-auto p-3 pr-10 text-xs leading-5', look !== 'program' && 'whitespace-pre-wrap wrap-anywhere')}
      >
        {look === 'text' || code.length > maxPainted ? code : painted(code)}
      </pre>
    </div>
  )
}
