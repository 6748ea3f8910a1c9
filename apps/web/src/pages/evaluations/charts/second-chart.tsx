import { useState } from 'react'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { ClassesChart } from '../classes/classes-chart.tsx'
import type { ClassSearch } from '../classes/class-choice.ts'
import type { ComparedRuns } from '../compared-runs.ts'
import { measureTitle } from '../measure-text.ts'
import type { RangeSearch } from '../rows/kept-ranges.ts'
import { DistributionChart } from './distribution-chart.tsx'
import { Scatter } from './scatter.tsx'

interface Properties {
  compared: ComparedRuns
  labels: readonly string[]
  name: string
  search: RangeSearch & ClassSearch
  height: number
  onChange: (changed: RangeSearch & ClassSearch) => void
}

const [byValue, byClass, againstOther] = ['values', 'classes', 'against']

/** How rows are spread: by the values of the measure, by the classes of a score, or by the measure against another one. Each chooses rows. */
export function SecondChart(properties: Properties) {
  const { compared, labels, name, search, height, onChange } = properties
  const { against } = search
  const others = compared.names.filter((one) => one !== name)
  const second = against !== undefined && others.includes(against) ? against : undefined
  // The user's choice is kept when the last class or range is removed.
  const [view, setView] = useState(search.score === undefined ? byValue : byClass)
  const shown = second === undefined ? view : againstOther
  const choose = (next: string) => {
    setView(next === byClass ? byClass : byValue)
    onChange({ against: next === againstOther ? others[0] : undefined, againstFrom: undefined, againstTo: undefined })
  }
  const actions = (
    <Select
      inside
      label="View"
      value={shown}
      choices={[
        { value: byValue, label: 'Distribution' },
        { value: byClass, label: 'By class' },
        ...(others.length > 0 ? [{ value: againstOther, label: 'Against…' }] : []),
      ]}
      onChange={choose}
    />
  )
  return (
    <div className="flex min-w-0 flex-col gap-2 [&>figure]:grow">
      {against !== undefined && second === undefined && <Notice title={`${against} is no other measure of these runs`} />}
      {second !== undefined ? (
        <Scatter
          runs={labels}
          compared={compared}
          x={name}
          y={second}
          height={height}
          actions={
            <>
              {actions}
              <Select
                inside
                label="Against"
                value={second}
                choices={others.map((one) => ({ value: one, label: measureTitle(one) }))}
                onChange={(other) => onChange({ against: other, againstFrom: undefined, againstTo: undefined })}
                className="max-w-44"
              />
            </>
          }
          onBrush={({ x, y }) => onChange({ from: x[0], to: x[1], againstFrom: y[0], againstTo: y[1] })}
        />
      ) : shown === byClass ? (
        <ClassesChart compared={compared} labels={labels} search={search} height={height} actions={actions} onChange={onChange} />
      ) : (
        <DistributionChart {...properties} actions={actions} />
      )}
    </div>
  )
}
