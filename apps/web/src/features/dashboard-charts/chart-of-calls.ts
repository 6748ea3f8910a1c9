import type { Condition } from '../filter/call-condition.ts'
import { chosenConditions } from '../calls/chosen-conditions.ts'
import type { CallsSearch } from '../calls/calls-search.ts'
import { filterOfConditions } from '../filter/parse-filter.ts'
import { filterWithText } from '../calls/conditions/text-filter.ts'
import { type Chart, newChart } from './chart.ts'

/** A chart of the calls that the table shows, whenever they started: the time is that of the dashboard. */
export function chartOfCalls(search: CallsSearch): Chart {
  const isAtAnyTime = ({ path }: Condition) => path !== 'started_at'
  // Failures are a measure, and roots a separate option.
  const conditions = chosenConditions({ where: search.where?.filter(isAtAnyTime), review: search.review })
  const isFailed = search.status === 'error'
  return {
    ...newChart('added'),
    title: isFailed ? 'Failed calls' : 'Calls',
    measure: isFailed ? 'errors' : 'calls',
    level: search.level === 'all' ? 'all' : 'roots',
    filter: filterOfConditions(conditions, filterWithText(search.filter, search.text)),
  }
}
