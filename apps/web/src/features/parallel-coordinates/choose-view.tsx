import { ChartSpline, Table2 } from 'lucide-react'
import { Segmented } from '../../ui/tabs.tsx'
import type { AxesSearch } from './axes-search.ts'

const views = [
  { value: 'table', label: 'Table', icon: Table2 },
  { value: 'axes', label: 'Parallel coordinates', icon: ChartSpline },
]

/** Chooses whether rows are shown as a table or as lines over axes. */
export const ChooseView = ({
  view = 'table',
  onChange,
}: {
  view: AxesSearch['view'] | 'table'
  onChange: (view: AxesSearch['view']) => void
}) => <Segmented label="View" iconsOnly items={views} value={view} onChange={(value) => onChange(value === 'axes' ? 'axes' : undefined)} />
