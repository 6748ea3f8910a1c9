import { FileText, Search, Table2 } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Pending } from '../../ui/states/pending.tsx'
import { FormattedText } from '../markdown/formatted-text.tsx'
import { LongText } from '../../ui/texts/long-text.tsx'
import { toText } from '../../lib/texts/to-text.ts'
import { tablesIn } from './flat-table.ts'
import { maxMedia, mediaIn } from './media-in.ts'

const MediaList = lazyPart(() => import('./media-list.tsx').then(({ MediaList }) => MediaList))
const ShowTable = lazyPart(() => import('./show-table.tsx').then(({ ShowTable }) => ShowTable))
const ValueTree = lazyPart(() => import('./tree/value-tree.tsx').then(({ ValueTree }) => ValueTree))

interface Properties {
  value: unknown
  label: string
  /** Path of the value, for copied paths. */
  path: string
}

/** A value of a call with its name: as a tree, as one that is searched, or as text, with its tables, images and sounds. Bytes are never a wall of text. */
export function ShowValue({ value, label, path }: Properties) {
  const { shown, media } = useMemo(() => mediaIn(value, path), [value, path])
  const tables = useMemo(() => tablesIn(shown, path), [shown, path])
  const hasMembers = typeof shown === 'object' && shown !== null && Object.keys(shown).length > 0
  const [view, setView] = useState<'find' | 'text'>()
  const toggle = (one: 'find' | 'text') => ({ 'aria-pressed': view === one, onClick: () => setView(view === one ? undefined : one) })
  return (
    <section aria-label={`${label} of the span`}>
      <div className="mb-1 flex h-7 items-center">
        <h3 className="grow text-xs font-medium text-fg-2">{label}</h3>
        {hasMembers && (
          <>
            <IconButton {...toggle('find')} label={`Find in ${label.toLowerCase()}`} icon={Search} />
            <IconButton {...toggle('text')} label={`${label} as text`} icon={FileText} />
          </>
        )}
      </div>
      <Suspense fallback={<Pending what={label} />}>
        <Body value={shown} label={label} path={path} view={hasMembers ? view : undefined} />
      </Suspense>
      {tables.map(({ path: at, table }) => (
        <div key={at} className="mt-2">
          <Fold icon={Table2} title={`${at} as a table`}>
            <Suspense>
              <ShowTable label={at} table={table} />
            </Suspense>
          </Fold>
        </div>
      ))}
      {media.length > 0 && (
        <Suspense>
          <MediaList label={`Images, sounds and bytes of ${label}`} className="mt-2 flex flex-col gap-2" media={media.slice(0, maxMedia)} />
        </Suspense>
      )}
      {media.length > maxMedia && (
        <p className="mt-2 text-xs text-fg-3">{`${(media.length - maxMedia).toLocaleString('en')} more are left out here; Export JSON has them.`}</p>
      )}
    </section>
  )
}

function Body({ value, label, path, view }: Properties & { view: 'find' | 'text' | undefined }) {
  if (value === null || value === undefined) return <p className="text-fg-3">–</p>
  if (view === 'find') return <ValueTree label={label} value={value} path={path} />
  if (view === 'text') return <LongText label={label} text={toText(value)} />
  if (typeof value !== 'string') return <JsonView label={label} value={value} />
  return (
    <div className="rounded-lg border border-line bg-sunken p-3">
      <FormattedText look="prose" label={label} text={value} />
    </div>
  )
}
