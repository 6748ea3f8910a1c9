import type { Handlers, tracing } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import type { KeyedLock, Micros } from '@heddle/datastore'
import type { TracingContext } from '../../context.ts'
import { readPurgedIds } from '../../query/purged-ids.ts'
import { createCostView } from './cost-columns.ts'
import { toCostRows } from './cost-row.ts'
import type { CostsStore } from './costs-store.ts'

/** Prices of one project: a query reads all of them. */
const maxRows = 10_000

export interface CostsDeps {
  store: CostsStore
  locks: KeyedLock
  clock: () => Micros
  newId: () => string
}

/** Operations on prices. */
export function costsHandlers({ store, locks, clock, newId }: CostsDeps): Handlers<(typeof tracing)['costs'], TracingContext> {
  return {
    async create({ project_id, costs }, context) {
      const project = await context.open(project_id)
      const rows = await toCostRows(costs, { project_id: project.id, created_by: context.caller.userId, now: clock(), newId })
      await locks.withKeys(project, [`costs\0${project.id}`], async () => {
        const stored = await store.count(project)
        if (stored + rows.length > maxRows)
          throw badRequest(`Project ${project.id} has ${stored} costs; ${rows.length} more are above ${maxRows}: purge some first`)
        await store.insert(project, rows)
      })
      return { ids: rows.map((row): [string, string] => [row.id, row.llm_id]) }
    },

    async query({ project_id, fields, query, sort_by, limit, offset }, context) {
      const project = await context.open(project_id)
      const view = createCostView(fields)
      const [skipped, count] = [checkCount('offset', offset ?? 0), checkCount('limit', limit ?? maxRows)]
      const rows = await store.select(project, { query, sort_by })
      return { results: rows.slice(skipped, skipped + count).map(view) }
    },

    async purge({ project_id, query }, context) {
      const project = await context.open(project_id)
      await store.delete(project, readPurgedIds(query, 'Can only purge costs by specifying one or more cost ids'))
      return {}
    },
  }
}

function checkCount(name: string, value: number): number {
  if (value < 0) throw badRequest(`${name} must not be negative, got ${value}`)
  return value
}
