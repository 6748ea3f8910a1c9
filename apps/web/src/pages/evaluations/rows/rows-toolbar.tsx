import { ArrowDownWideNarrow } from 'lucide-react'
import type { ReactNode } from 'react'
import { countText } from '../../../lib/texts/count-text.ts'
import { Segmented } from '../../../ui/tabs.tsx'
import { Select } from '../../../ui/select.tsx'
import { measureTitle } from '../measure-text.ts'
import { type RowChoice, type RowOrder, rowOrders } from './row-choices.ts'

interface Properties {
  choice: RowChoice
  /** Choices that are offered. */
  choices: readonly RowChoice[]
  counts: Readonly<Record<RowChoice, number>>
  /** The button that opens the filter. */
  filter: ReactNode
  name: string
  names: readonly string[]
  /** Undefined where rows have one order. */
  order?: { value: RowOrder; onChange: (order: RowOrder) => void }
  /** How many rows are listed. */
  listed: number
  /** Description of all rows. Default: the number of those listed, where the choice does not name it. */
  about?: string
  onChoice: (choice: RowChoice) => void
  onMeasure: (name: string) => void
}

const choiceNames: Readonly<Record<RowChoice, string>> = {
  all: 'All',
  shared: 'Shared',
  regressions: 'Regressions',
  improvements: 'Improvements',
  disagreement: 'Changed',
  errors: 'Errors',
}

const orderNames: Readonly<Record<RowOrder, string>> = {
  change: 'Biggest change',
  worst: 'Lowest in latest run',
  row: 'Dataset order',
}

/** Which rows are listed, by which measure, and in which order. */
export function RowsToolbar({ choice, choices, counts, filter, name, names, order, listed, about, onChoice, onMeasure }: Properties) {
  const part = about !== undefined && listed !== counts.all && `${listed.toLocaleString('en')} listed · `
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-y border-line bg-sheet px-4 py-2">
      <Segmented
        label="Rows"
        value={choice}
        items={choices.map((value) => ({ value, label: `${choiceNames[value]} ${counts[value].toLocaleString('en')}` }))}
        onChange={(value) => onChoice(choices.find((one) => one === value) ?? 'all')}
      />
      {filter}
      <span role="status" className="num text-xs text-fg-3">
        {part}
        {about ?? (listed === counts[choice] ? undefined : countText(listed, 'row'))}
      </span>
      <span className="grow" />
      {name !== '' && (
        <Select
          inside
          label="Score"
          value={name}
          choices={names.map((one) => ({ value: one, label: measureTitle(one) }))}
          onChange={onMeasure}
          className="max-w-56"
        />
      )}
      {order && (
        <Select
          inside
          label="Sort"
          value={order.value}
          choices={rowOrders.map((value) => ({ value, label: orderNames[value], icon: ArrowDownWideNarrow }))}
          onChange={(value) => order.onChange(rowOrders.find((one) => one === value) ?? 'change')}
        />
      )}
    </div>
  )
}
