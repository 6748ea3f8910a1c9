import { UnfoldVertical } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Failure } from '../../ui/states/failure.tsx'
import { Pending } from '../../ui/states/pending.tsx'
import { diffInWorker } from './diff-in-worker.ts'
import type { TextComparison, TextPart } from './compare-texts.ts'
import { firstLinesOf, linesOfPart } from './lines-of-part.ts'
import { Button } from '../../ui/button.tsx'
import { Diff, DiffLines, type ShowText } from '../../ui/diff.tsx'
import { Notice } from '../../ui/notice.tsx'

const contextLines = 3
/** More would block the page; a button shows more of them. */
const partsAtOnce = 200

interface Comparison {
  before: string
  after: string
  parts?: TextComparison
  error?: unknown
}

interface Properties {
  before: string
  after: string
  /** How a text that both have is shown. Default: as it is. */
  show?: ShowText | undefined
}

/** The lines in which two texts differ. Long runs of equal lines are folded and show their number. */
export function ShowDiff({ before, after, show }: Properties) {
  const [compared, setCompared] = useState<Comparison>()
  useEffect(() => {
    if (before === after) return undefined
    const stop = new AbortController()
    diffInWorker(before, after, stop.signal).then(
      (parts) => setCompared({ before, after, parts }),
      (error: unknown) => stop.signal.aborted || setCompared({ before, after, error }),
    )
    return () => stop.abort()
  }, [before, after])
  if (before === after) return <p className="px-3 py-2 text-fg-3">No differences</p>
  if (compared?.before !== before || compared.after !== after) return <Pending what="the differences" />
  if (compared.error !== undefined) return <Failure error={compared.error} />
  if (!compared.parts) return <Notice title="Too many differences to compare line by line" />
  return <DiffParts parts={compared.parts} show={show} />
}

function DiffParts({ parts, show }: { parts: readonly TextPart[] } & Pick<Properties, 'show'>) {
  const [count, setCount] = useState(partsAtOnce)
  const left = parts.length - count
  const places = firstLinesOf(parts)
  return (
    <>
      <Diff label="Differences">
        {parts.slice(0, count).map((part, at) => (
          // Parts of one comparison never change their order.
          <DiffPart key={String(at)} part={part} from={places[at]!} show={show} />
        ))}
      </Diff>
      {left > 0 && (
        <Button className="m-2" onClick={() => setCount(count + partsAtOnce)}>
          {`Show ${Math.min(left, partsAtOnce).toLocaleString('en')} more of ${left.toLocaleString('en')}`}
        </Button>
      )}
    </>
  )
}

interface PartProperties extends Pick<Properties, 'show'> {
  part: TextPart
  from: { before: number; after: number }
}

function DiffPart({ part, from, show }: PartProperties) {
  const [showsAll, setShowsAll] = useState(false)
  const lines = linesOfPart(part)
  if (part.kind !== 'same' || showsAll || lines.length <= 2 * contextLines + 1) return <DiffLines lines={lines} from={from} show={show} />
  const last = lines.length - contextLines
  return (
    <>
      <DiffLines lines={lines.slice(0, contextLines)} from={from} show={show} />
      <Button variant="ghost" icon={UnfoldVertical} className="my-0.5 ml-16 font-sans" onClick={() => setShowsAll(true)}>
        {`${(last - contextLines).toLocaleString('en')} equal lines`}
      </Button>
      <DiffLines lines={lines.slice(last)} from={{ before: from.before + last, after: from.after + last }} show={show} />
    </>
  )
}
