import { useMemo, useState } from 'react'
import { FormattedText } from '../markdown/formatted-text.tsx'
import { toText } from '../to-text.ts'
import { tablesIn } from './flat-table.ts'
import { maxMedia, mediaIn } from './media-in.ts'
import { ShowMedia } from './show-media.tsx'
import { ShowTable } from './show-table.tsx'
import { ValueTree } from './tree/value-tree.tsx'

/** A value of a call as text or as a tree, with its tables, images and sounds. Bytes are never a wall of text. */
export function ShowValue({ value, label, path }: { value: unknown; label: string; path: string }) {
  const { shown, media } = useMemo(() => mediaIn(value, path), [value, path])
  const tables = useMemo(() => tablesIn(shown, path), [shown, path])
  const hasMembers = typeof shown === 'object' && shown !== null
  const [isTree, setIsTree] = useState(false)
  return (
    <>
      {hasMembers && (
        <button type="button" className="small" aria-pressed={isTree} aria-label={`${label} as a tree`} onClick={() => setIsTree(!isTree)}>
          As a tree
        </button>
      )}
      {hasMembers && isTree ? (
        <ValueTree label={label} value={shown} path={path} />
      ) : (
        <FormattedText label={label} text={toText(shown)} isProse={!hasMembers} />
      )}
      {tables.map(({ path: at, table }) => (
        <details key={at}>
          <summary>{`${at} as a table`}</summary>
          <ShowTable label={at} table={table} />
        </details>
      ))}
      {media.length > 0 && (
        <ul className="media-list" aria-label={`Images, sounds and bytes of ${label}`}>
          {media.slice(0, maxMedia).map((one, at) => (
            // They keep their places in a value.
            <ShowMedia key={String(at)} media={one} />
          ))}
        </ul>
      )}
      {media.length > maxMedia && (
        <p className="notice">{`${(media.length - maxMedia).toLocaleString('en')} more are left out here; Export JSON has them.`}</p>
      )}
    </>
  )
}
