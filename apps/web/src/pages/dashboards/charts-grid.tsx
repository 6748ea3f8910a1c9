import { useState } from 'react'
import type { TimeRange } from '../../lib/time/time-range.ts'
import { cx } from '../../lib/cx.ts'
import { toast } from '../../ui/toast.tsx'
import type { Chart } from '../../features/dashboard-charts/chart.ts'
import { ChartCard } from './chart/chart-card.tsx'
import { ChartGrip, EditChart } from './edit-chart.tsx'
import { insertChart, moveChart } from './move-chart.ts'

interface Properties {
  charts: readonly Chart[]
  range: TimeRange
  isEdited: boolean
  onEdit: (chart: Chart) => void
  /** Changes the charts as they are when it is called. */
  onChange: (change: (charts: readonly Chart[]) => readonly Chart[]) => void
}

/** The charts of a dashboard: numbers take a quarter of a row, the rest half of it. In edit mode, they can be dragged, changed and removed. */
export function ChartsGrid({ charts, range, isEdited, onEdit, onChange }: Properties) {
  const [dragged, setDragged] = useState<string>()
  const dropAt = (to: number) => {
    const from = charts.findIndex(({ id }) => id === dragged)
    if (dragged !== undefined && from >= 0 && from !== to) onChange((now) => moveChart(now, dragged, to - from))
  }
  function remove(chart: Chart, at: number) {
    onChange((now) => now.filter(({ id }) => id !== chart.id))
    toast({
      title: 'Chart removed',
      text: chart.title,
      action: { label: 'Undo', run: () => onChange((now) => insertChart(now, chart, at)) },
    })
  }
  return (
    <ul aria-label="Charts" className="grid grid-cols-12 gap-4">
      {charts.map((chart, at) => {
        const place = {
          title: chart.title,
          at,
          count: charts.length,
          onMove: (by: number) => onChange((now) => moveChart(now, chart.id, by)),
        }
        return (
          <li
            key={chart.id}
            className={cx(
              'relative min-w-0 [&>figure]:h-full',
              chart.form === 'number' ? 'col-span-12 sm:col-span-6 xl:col-span-3' : 'col-span-12 lg:col-span-6',
              isEdited && 'rounded-lg ring-1 ring-accent-line ring-offset-2 ring-offset-sheet',
              dragged === chart.id && 'opacity-50',
            )}
            onDragOver={(event) => dragged !== undefined && event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault()
              dropAt(at)
            }}
          >
            <ChartCard
              chart={chart}
              range={range}
              {...(isEdited && { actions: <EditChart {...place} onEdit={() => onEdit(chart)} onRemove={() => remove(chart, at)} /> })}
            />
            {isEdited && (
              <ChartGrip
                {...place}
                isNarrow={chart.form === 'number'}
                onDragStart={({ dataTransfer }) => {
                  dataTransfer.effectAllowed = 'move'
                  dataTransfer.setData('text/plain', chart.title)
                  setDragged(chart.id)
                }}
                onDragEnd={() => setDragged(undefined)}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
