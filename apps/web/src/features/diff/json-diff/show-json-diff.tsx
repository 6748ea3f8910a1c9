import { useEffect, useState } from 'react'
import { Failure } from '../../../ui/states/failure.tsx'
import { Pending } from '../../../ui/states/pending.tsx'
import { toText } from '../../../lib/texts/to-text.ts'
import { compareJsonApart } from '../diff-in-worker.ts'
import type { JsonChange } from './diff-json.ts'
import { pathText } from './path-text.ts'
import type { DifferencesReport } from './differences-report.ts'
import { Button } from '../../../ui/button.tsx'
import { Diff, DiffLines } from '../../../ui/diff.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** More would block the page; a button shows more of them. */
const changesAtOnce = 100
const shownCharacters = 2_000

interface Comparison {
  before: object
  after: object
  found?: DifferencesReport | undefined
  error?: unknown
}

/** The parts in which two values of JSON differ, each with its path. The order of the keys of objects counts for nothing. */
export function ShowJsonDiff({ before, after }: { before: object; after: object }) {
  const [compared, setCompared] = useState<Comparison>()
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
  if (!compared.found) return <Notice title="Too many differences, or too deep, to compare part by part" />
  if (compared.found.total === 0) return <p className="px-3 py-2 text-fg-3">No differences</p>
  return <Changes found={compared.found} />
}

function Changes({ found: { changes, total, listsByPosition } }: { found: DifferencesReport }) {
  const [count, setCount] = useState(changesAtOnce)
  const left = changes.length - count
  return (
    <>
      <p className="mb-2 text-xs text-fg-3">
        {total === 1 ? 'One part differs.' : `${total.toLocaleString('en')} parts differ.`}
        {listsByPosition > 0 && ` ${listsByPosition.toLocaleString('en')} long lists were compared element by element at the same place.`}
      </p>
      <Diff label="Differences" className="max-h-[60vh]">
        {changes.slice(0, count).map((change) => (
          <Change key={JSON.stringify([change.kind, change.path])} change={change} />
        ))}
      </Diff>
      {left > 0 && (
        <Button onClick={() => setCount(count + changesAtOnce)}>
          {`Show ${Math.min(left, changesAtOnce).toLocaleString('en')} more of ${left.toLocaleString('en')}`}
        </Button>
      )}
      {total > changes.length && <Notice title={`${(total - changes.length).toLocaleString('en')} more differ. See Lines.`} />}
    </>
  )
}

function Change({ change }: { change: JsonChange }) {
  return (
    <>
      <div className="mt-1.5 px-2 font-sans text-sm font-semibold">
        {pathText(change.path)} {change.kind}
      </div>
      {change.kind !== 'added' && <Part kind="remove" value={change.before} />}
      {change.kind !== 'removed' && <Part kind="add" value={change.after} />}
    </>
  )
}

/** Texts are quoted, to distinguish them from numbers. */
function Part({ kind, value }: { kind: 'add' | 'remove'; value: unknown }) {
  const [showsAll, setShowsAll] = useState(false)
  const text = typeof value === 'string' ? JSON.stringify(value) : toText(value)
  const left = showsAll ? 0 : text.length - shownCharacters
  const shown = left > 0 ? text.slice(0, shownCharacters) : text
  return (
    <>
      <DiffLines lines={shown.split('\n').map((line) => ({ kind, parts: [line] }))} />
      {left > 0 && (
        <Button className="m-2 font-sans" onClick={() => setShowsAll(true)}>{`Show ${left.toLocaleString('en')} more characters`}</Button>
      )}
    </>
  )
}
