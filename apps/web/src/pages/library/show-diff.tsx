import { useEffect, useState } from 'react'
import { Failure } from '../../components/failure.tsx'
import { Pending } from '../../components/pending.tsx'
import { compareApart } from './compare-apart.ts'
import type { TextComparison, TextPart, TextPiece } from './compare-texts.ts'

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

function DiffPart({ part: { kind, lines, words } }: { part: TextPart }) {
  const [showsAll, setShowsAll] = useState(false)
  const pieces = words ?? [{ text: lines.join('\n'), isChanged: false }]
  if (kind === 'removed')
    return (
      <del>
        <Pieces sign="- " pieces={pieces} />
      </del>
    )
  if (kind === 'added')
    return (
      <ins>
        <Pieces sign="+ " pieces={pieces} />
      </ins>
    )
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

/** Lines with their sign before each; the words in which they differ from those that they replace, or that replace them, are marked. */
function Pieces({ sign, pieces }: { sign: string; pieces: readonly TextPiece[] }) {
  const signed = (text: string) => text.replaceAll('\n', `\n${sign}`)
  return (
    <>
      {sign}
      {pieces.map(({ text, isChanged }, at) =>
        // Pieces of one comparison never change their order.
        isChanged ? <mark key={at}>{signed(text)}</mark> : <span key={at}>{signed(text)}</span>,
      )}
      {'\n'}
    </>
  )
}
