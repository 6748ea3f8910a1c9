import { useMemo } from 'react'
import { Time } from '../../ui/time/time.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { metricText, titleOfMetric } from '../../features/curves/metric-name.ts'
import { sortByKind, type StepMetrics } from './step-metrics.ts'

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
    { id: 'step', title: 'Step', width: '72px', pin: 'left', sort: ({ step }) => step, cell: ({ step }) => step.toLocaleString('en') },
    { id: 'time', title: 'Time', width: '168px', cell: ({ at }) => <Time value={at} /> },
    ...names.map((name): Column<StepMetrics> => ({
      id: name,
      title: titleOfMetric(name),
      width: 'minmax(132px, 1fr)',
      align: 'right',
      sort: ({ values }) => values.get(name) ?? Number.NEGATIVE_INFINITY,
      hint: ({ values }) => (values.has(name) ? String(values.get(name)) : undefined),
      cell: ({ values }) => {
        const value = values.get(name)
        return value === undefined ? <span className="text-fg-3">–</span> : metricText(name, value)
      },
    })),
  ]
}
