import { expect, test } from 'vitest'
import { chartOfCosts, tableOfCosts } from './charts-of-costs.ts'
import { groupings } from '../costs/costs-search.ts'
import { chartsOfHome } from './charts-of-home.ts'
import { readChart } from './chart.ts'
import { toCallsRequest } from './chart-request.ts'

const ofCosts = (['cost', 'tokens'] as const).flatMap((measure) => [
  chartOfCosts(measure),
  ...groupings.map((by) => tableOfCosts(measure, by)),
])

test.each([...Object.values(chartsOfHome), ...ofCosts].map((chart) => [chart.title, chart] as const))(
  'the chart "%s" of a page can be added to a dashboard, which counts the roots of traces as that page does',
  (_title, chart) => {
    expect(readChart(JSON.parse(JSON.stringify(chart)))).toEqual(chart)
    expect(toCallsRequest(chart, '7d').filter).toEqual({ trace_roots_only: true })
  },
)
