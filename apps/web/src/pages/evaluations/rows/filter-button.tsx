import { ListFilter } from 'lucide-react'
import { Suspense } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Popover } from '../../../ui/popover.tsx'
import type { FilterProperties } from './filter-properties.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'

const FilterForm = lazyPart(() => import('./filter-form.tsx').then(({ FilterForm }) => FilterForm))

/** Opens what filters rows: a range of the score, and an expression. */
export const FilterButton = (properties: FilterProperties) => (
  <Popover label="Filter rows" className="max-h-[70vh] w-96 overflow-auto p-4" trigger={<Button icon={ListFilter}>Filter</Button>}>
    <Suspense fallback={<div className="h-64" />}>
      <FilterForm {...properties} />
    </Suspense>
  </Popover>
)
