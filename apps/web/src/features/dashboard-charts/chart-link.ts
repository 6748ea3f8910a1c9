import type { LinkProps } from '@tanstack/react-router'
import type { ProjectName } from '../../lib/use-project.ts'
import type { Condition } from '../filter/call-condition.ts'
import { callsOfTime } from '../calls/calls-of-time.ts'
import type { CallsSearch } from '../calls/calls-search.ts'
import { callsOfGroup } from '../costs/calls-of-group.ts'
import { type Chart, isUsage } from './chart.ts'
import type { ChartSeries } from './chart-data.ts'

export interface ChartTime {
  startedAt: string
  /** Absent: up to now. */
  endedAt?: string
}

/** The calls behind a value of a chart, as a search of the table of calls: in a time, of one series or of all. */
export function callsSearchOf(chart: Chart, time: ChartTime, series?: Pick<ChartSeries, 'key'>): CallsSearch {
  const { measure, level, filter, by } = chart
  const isFailed = measure === 'errors' || measure === 'error_rate'
  const key = series?.key
  return {
    where: [...conditionsOfTime(time), ...(by !== null && key !== undefined ? callsOfGroup(by, key) : [])],
    ...(filter.trim() !== '' && { filter }),
    // Spans below a root report their own usage.
    ...((level === 'all' || isUsage(measure)) && { level: 'all' as const }),
    ...(isFailed && { status: 'error' as const }),
    ...(measure.startsWith('latency') && { sort: 'slowest' as const }),
  }
}

const conditionsOfTime = ({ startedAt, endedAt }: ChartTime): Condition[] =>
  endedAt === undefined ? [{ path: 'started_at', operator: '>=', value: startedAt }] : callsOfTime({ startedAt, endedAt })

/** Link to the data behind a value of a chart: calls, or feedback. */
export function linkOfValue({ entity, project }: ProjectName, chart: Chart, time: ChartTime, series?: Pick<ChartSeries, 'key'>): LinkProps {
  const params = { entity, project }
  if (chart.feedback !== null) {
    const search = { type: chart.feedback.type, from: time.startedAt, to: time.endedAt }
    return { to: '/$entity/$project/feedback', params, search } satisfies LinkProps
  }
  return { to: '/$entity/$project/calls', params, search: { ...callsSearchOf(chart, time, series) } } satisfies LinkProps
}
