import { useMemo } from 'react'
import { Time } from '../../ui/time/time.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { metricText, titleOfMetric } from '../../features/curves/metric-name.ts'
import { sortByKind, type StepMetrics } from './step-metrics.ts'
import { numberColumn } from '../../ui/table/column-kinds.tsx'

interface Properties {
  steps: readonly StepMetrics[]
  selected: number | undefined
  onSelect: (step: number) => void
}

/** The gradient steps of a job with all their metrics, newest first. A row is shown in full next to the list. */
export function JobSteps({ steps, selected, onSelect }: Properties) {
  const rows = useMemo(() => steps.toReversed(), [steps])
  const columns = useMemo(() => columnsOf(steps), [steps])
  const marked = selected === undefined ? undefined : String(selected)
  return (
    <DataTable
      label="Gradient steps"
      rows={rows}
      columns={columns}
      rowId={({ step }) => String(step)}
      rowName={({ step }) => `step ${step}`}
      active={marked}
      marked={marked}
      onActive={({ step }) => onSelect(step)}
      empty={<p className="px-4 py-3 text-fg-3">No gradient steps yet</p>}
    />
  )
}

function columnsOf(steps: readonly StepMetrics[]): Column<StepMetrics>[] {
  const names = sortByKind([...new Set(steps.flatMap(({ values }) => [...values.keys()]))])
  return [
    numberColumn('step', 'Step', '72px', ({ step }) => step, { pin: 'left', sort: true }),
    { id: 'time', title: 'Time', width: '168px', cell: ({ at }) => <Time value={at} hasSeconds /> },
    ...names.map((name) =>
      numberColumn<StepMetrics>(name, titleOfMetric(name), 'minmax(156px, 1fr)', ({ values }) => values.get(name), {
        sort: true,
        hint: ({ values }) => values.get(name)?.toString(),
        show: (value) => metricText(name, value),
      }),
    ),
  ]
}
