import { useEffect, useState } from 'react'
import { Failure } from '../../../components/failure.tsx'
import { Pending } from '../../../components/pending.tsx'
import { toText } from '../../../components/to-text.ts'
import { compareJsonApart } from '../compare-apart.ts'
import type { JsonChange } from './diff-json.ts'
import { pathText } from './path-text.ts'
import type { SentDifferences } from './sent-differences.ts'

/** More would hold up the page; a button shows more of them. */
const changesAtOnce = 100
const shownCharacters = 2_000

interface Compared {
  before: object
  after: object
  found?: SentDifferences | undefined
  error?: unknown
}

/** The parts in which two values of JSON differ, each with its path. The order of the keys of objects counts for nothing. */
export function ShowJsonDiff({ before, after }: { before: object; after: object }) {
  const [compared, setCompared] = useState<Compared>()
  useEffect(() => {
    const stop = new AbortController()
    compareJsonApart(before, after, stop.signal).then(
      (found) => setCompared({ before, after, found }),
      (error: unknown) => stop.signal.aborted || setCompared({ before, after, error }),
    )
    return () => stop.abort()
  }, [before, after])
  if (compared?.before !== before || compared.after !== after) return <Pending what="the differences" />
  if (compared.error !== undefined) return <Failure error={compared.error} />
  if (!compared.found)
    return <p className="notice">The values differ in too much, or are too deep, to be compared part by part in reasonable time.</p>
  if (compared.found.total === 0) return <p className="muted">The two are the same.</p>
  return <Changes found={compared.found} />
}

function Changes({ found: { changes, total, listsByPosition } }: { found: SentDifferences }) {
  const [count, setCount] = useState(changesAtOnce)
  const left = changes.length - count
  return (
    <>
      <p className="muted">
        {total === 1 ? 'One part differs.' : `${total.toLocaleString('en')} parts differ.`}
        {listsByPosition > 0 && ` ${listsByPosition.toLocaleString('en')} long lists were compared element by element at the same place.`}
      </p>
      <div className="diff json-diff" tabIndex={0} role="region" aria-label="Differences">
        {changes.slice(0, count).map((change) => (
          <Change key={JSON.stringify([change.kind, change.path])} change={change} />
        ))}
      </div>
      {left > 0 && (
        <button type="button" onClick={() => setCount(count + changesAtOnce)}>
          Show {Math.min(left, changesAtOnce).toLocaleString('en')} of the {left.toLocaleString('en')} further parts
        </button>
      )}
      {total > changes.length && (
        <p className="notice">{(total - changes.length).toLocaleString('en')} further parts that differ are shown only line by line.</p>
      )}
    </>
  )
}

function Change({ change }: { change: JsonChange }) {
  return (
    <>
      <div className="json-path">
        {pathText(change.path)} {change.kind}
      </div>
      {change.kind !== 'added' && (
        <del>
          <Part sign="- " value={change.before} />
        </del>
      )}
      {change.kind !== 'removed' && (
        <ins>
          <Part sign="+ " value={change.after} />
        </ins>
      )}
    </>
  )
}

/** Texts are in quotation marks, so that one is told from a number. */
function Part({ sign, value }: { sign: string; value: unknown }) {
  const [showsAll, setShowsAll] = useState(false)
  const text = typeof value === 'string' ? JSON.stringify(value) : toText(value)
  const left = showsAll ? 0 : text.length - shownCharacters
  const shown = left > 0 ? text.slice(0, shownCharacters) : text
  return (
    <>
      {sign + shown.replaceAll('\n', `\n${sign}`)}
      {left > 0 && (
        <button type="button" onClick={() => setShowsAll(true)}>
          Show the other {left.toLocaleString('en')} characters
        </button>
      )}
    </>
  )
}
