import type { EvalResultsRow } from '@heddle/core-api/types'
import { useMemo } from 'react'
import { MenuRadio, MenuSection, MenuSeparator } from '../../../ui/menu.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { splitsOf, type SplitSearch } from './row-splits.ts'

interface Properties {
  /** All that were read. */
  rows: readonly EvalResultsRow[]
  search: SplitSearch
  onChange: (changed: SplitSearch) => void
}

const none = ''

/** Menu items: a column of the dataset as split, and the part of it that metrics and rows cover. Renders nothing if no column splits the rows. */
export function PartItems({ rows, search: { split, part }, onChange }: Properties) {
  const splits = useMemo(() => splitsOf(rows), [rows])
  const chosen = splits.find(({ column }) => column === split)
  if (splits.length === 0) return null
  return (
    <>
      <MenuSeparator />
      <MenuSection label="Split by">
        {[none, ...splits.map(({ column }) => column)].map((column) => (
          <MenuRadio
            key={column}
            name="split"
            value={column}
            current={chosen?.column ?? none}
            onPick={(value) => onChange({ split: value || undefined, part: undefined })}
          >
            {column === none ? 'None' : column}
          </MenuRadio>
        ))}
      </MenuSection>
      {chosen && (
        <MenuSection label={chosen.column}>
          <MenuRadio name="part" value={none} current={part ?? none} onPick={() => onChange({ part: undefined })}>
            All parts
          </MenuRadio>
          {chosen.parts.map(({ value, rows: count }) => (
            <MenuRadio key={value} name="part" value={value} current={part ?? none} onPick={() => onChange({ part: value })}>
              {`${value} (${count.toLocaleString('en')})`}
            </MenuRadio>
          ))}
        </MenuSection>
      )}
    </>
  )
}

/** What of the address splits nothing. */
export function PartNotices({ rows, search: { split, part } }: Omit<Properties, 'onChange'>) {
  const splits = useMemo(() => (split === undefined ? [] : splitsOf(rows)), [rows, split])
  const chosen = splits.find(({ column }) => column === split)
  if (split === undefined) return null
  if (!chosen) return <Notice className="mx-4 mt-4" title={`The rows have no column ${split} that splits them into a few parts`} />
  if (part === undefined) return null
  if (!chosen.parts.some(({ value }) => value === part)) return <Notice className="mx-4 mt-4" title={`No row has ${part} as ${split}`} />
  return null
}
