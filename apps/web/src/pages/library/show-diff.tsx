import { useMemo, useState } from 'react'
import { compareTexts, type TextPart } from './compare-texts.ts'

const contextLines = 3

/** The lines in which two texts differ. Long runs of equal lines are folded, and say how many they are. */
export function ShowDiff({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => compareTexts(before, after), [before, after])
  if (before === after) return <p className="muted">The two are the same.</p>
  if (!parts) return <p className="notice">The texts differ in too much to be compared line by line in reasonable time.</p>
  return (
    <pre className="diff" tabIndex={0} role="region" aria-label="Differences">
      {/* Parts of one comparison never change their order. */}
      {parts.map((part, at) => (
        <DiffPart key={at} part={part} />
      ))}
    </pre>
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
