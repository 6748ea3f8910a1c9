import { useEffect, useState } from 'react'
import { Failure } from '../../components/failure.tsx'
import { Pending } from '../../components/pending.tsx'
import { compareApart } from './compare-apart.ts'
import type { TextComparison, TextPart } from './compare-texts.ts'

const contextLines = 3
/** More would hold up the page; a button shows more of them. */
const partsAtOnce = 200

interface Compared {
  before: string
  after: string
  parts?: TextComparison
  error?: unknown
}

/** The lines in which two texts differ. Long runs of equal lines are folded, and say how many they are. */
export function ShowDiff({ before, after }: { before: string; after: string }) {
  const [compared, setCompared] = useState<Compared>()
  useEffect(() => {
    if (before === after) return undefined
    const stop = new AbortController()
    compareApart(before, after, stop.signal).then(
      (parts) => setCompared({ before, after, parts }),
      (error: unknown) => stop.signal.aborted || setCompared({ before, after, error }),
    )
    return () => stop.abort()
  }, [before, after])
  if (before === after) return <p className="muted">The two are the same.</p>
  if (compared?.before !== before || compared.after !== after) return <Pending what="the differences" />
  if (compared.error !== undefined) return <Failure error={compared.error} />
  if (!compared.parts) return <p className="notice">The texts differ in too much to be compared line by line in reasonable time.</p>
  return <DiffParts parts={compared.parts} />
}

function DiffParts({ parts }: { parts: readonly TextPart[] }) {
  const [count, setCount] = useState(partsAtOnce)
  const left = parts.length - count
  return (
    <>
      <pre className="diff" tabIndex={0} role="region" aria-label="Differences">
        {/* Parts of one comparison never change their order. */}
        {parts.slice(0, count).map((part, at) => (
          <DiffPart key={at} part={part} />
        ))}
      </pre>
      {left > 0 && (
        <button type="button" onClick={() => setCount(count + partsAtOnce)}>
          Show {Math.min(left, partsAtOnce).toLocaleString('en')} of the {left.toLocaleString('en')} further parts
        </button>
      )}
    </>
  )
}

function DiffPart({ part: { kind, lines } }: { part: TextPart }) {
  const [showsAll, setShowsAll] = useState(false)
  if (kind === 'removed') return <del>{lines.map((line) => `- ${line}\n`).join('')}</del>
  if (kind === 'added') return <ins>{lines.map((line) => `+ ${line}\n`).join('')}</ins>
  const text = (some: readonly string[]) => some.map((line) => `  ${line}\n`).join('')
  if (showsAll || lines.length <= 2 * contextLines + 1) return <span>{text(lines)}</span>
  return (
    <>
      <span>{text(lines.slice(0, contextLines))}</span>
      <button type="button" onClick={() => setShowsAll(true)}>
        Show {lines.length - 2 * contextLines} equal lines
      </button>
      <span>{`\n${text(lines.slice(-contextLines))}`}</span>
    </>
  )
}
