import { formatTimestamp, type QueryExpression } from '@heddle/core-api'

import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { evaluateOpNames } from '@heddle/trace-model'
import type { CallsStore } from '../calls/calls-store.ts'
import { noCallsFilter } from '../calls/read/no-calls-filter.ts'

/** The program of a run that has lasted longer has probably ended without a word. */
const longestRunMicros = 24 * 3_600_000_000
const maxRuns = 100

export interface UnderWayStore {
  /** Open items of queues that the user has neither completed nor skipped. */
  itemsLeft(project: ProjectScope, userId: string): Promise<number>
}

export interface UnderWayDeps {
  underWay: UnderWayStore
  calls: Pick<CallsStore, 'count'>
  clock: () => Micros
}

/** Counts the work under way in a project that concerns a user. */
export async function countUnderWay(project: ProjectScope, userId: string, { underWay, calls, clock }: UnderWayDeps) {
  const filter = { ...noCallsFilter, op_names: evaluateOpNames(project.id) }
  const query = runsSince(clock() - longestRunMicros)
  const [evaluation_runs, annotation_items] = await Promise.all([
    calls.count(project, { filter, query, sort_by: [], limit: maxRuns, offset: null, expand_columns: null }),
    underWay.itemsLeft(project, userId),
  ])
  return { evaluation_runs, annotation_items }
}

const runsSince = (start: Micros): QueryExpression => ({
  $expr: {
    $and: [
      { $eq: [{ $getField: 'ended_at' }, { $literal: null }] },
      { $gt: [{ $getField: 'started_at' }, { $literal: formatTimestamp(start) }] },
    ],
  },
})
