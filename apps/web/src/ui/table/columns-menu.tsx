import { Columns3 } from 'lucide-react'
import { Suspense } from 'react'
import { Button } from '../button.tsx'
import { Popover } from '../popover.tsx'
import type { ColumnsProperties } from './columns-list.tsx'
import { lazyPart } from '../lazy-part.tsx'

const ColumnsList = lazyPart(() => import('./columns-list.tsx').then(({ ColumnsList }) => ColumnsList))

/** Shows, hides and orders the columns of a grid. */
export function ColumnsMenu(properties: ColumnsProperties) {
  return (
    <Popover
      label="Columns"
      placement="bottom-end"
      className="flex max-h-[70vh] w-72 flex-col"
      trigger={
        <Button icon={Columns3} aria-label="Columns">
          <span className="max-xl:hidden">Columns</span>
        </Button>
      }
    >
      <Suspense fallback={<div className="h-72" />}>
        <ColumnsList {...properties} />
      </Suspense>
    </Popover>
  )
}
export type { OfferedColumn } from './columns-list.tsx'
