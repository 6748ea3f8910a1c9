import type { Handlers, tracing } from '@heddle/core-api'
import type { Monitor, ObjectVersion, ObjectVersionFilter } from '@heddle/core-api/types'
import { badRequest, JsonText } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import type { Jobs } from '@heddle/jobs'
import { parseJson } from '@heddle/json'
import type { TracingContext } from '../../context.ts'
import { objectRef } from '../../payload/object-ref.ts'
import type { RefProjectsFor } from '../../payload/ref-projects.ts'
import { isSplit, noSplits } from '../../query/price-splits.ts'
import type { PricesFor } from '../../records/costs/prices.ts'
import { splitPrices } from '../../records/costs/split-prices.ts'
import type { ObjectsStore } from '../../records/objects/objects-store.ts'
import type { PresentVersions } from '../../records/objects/versions/present-versions.ts'
import { jobKeyPrefix } from './enqueue-scores.ts'
import type { MonitorScoresStore } from './monitor-scores-store.ts'
import type { MonitorsStore } from './monitors-store.ts'
import { toMonitor } from './present-monitor.ts'

export interface MonitorsHandlersDeps {
  store: Pick<MonitorsStore, 'findStates'>
  scores: MonitorScoresStore
  objects: Pick<ObjectsStore, 'select'>
  presentVersions: PresentVersions
  prices: PricesFor
  jobs: Pick<Jobs, 'countByKey'>
  refProjects: RefProjectsFor
}

const defaultLimit = 100
const maxLimit = 1_000

const latestMonitors: ObjectVersionFilter = {
  object_ids: null,
  base_object_classes: null,
  exclude_base_object_classes: null,
  leaf_object_classes: ['Monitor', 'ClassifierMonitor'],
  is_op: false,
  latest_only: true,
  tags: null,
  aliases: null,
}

/** Operations on monitors. */
export function monitorsHandlers(deps: MonitorsHandlersDeps): Handlers<(typeof tracing)['monitors'], TracingContext> {
  const { store, scores, objects, presentVersions, prices, jobs, refProjects } = deps

  async function toMonitors(project: ProjectScope, versions: readonly ObjectVersion[]): Promise<Monitor[]> {
    const names = versions.map(({ object_id }) => object_id)
    const states = await store.findStates(project.id, names)
    const counts = await scores.countScores(project, names)
    const used = await scores.readUsage(project, names, noSplits)
    const found = await prices(
      project,
      used.map(({ model }) => model),
    )
    const splits = splitPrices(used, found)
    const usage = isSplit(splits) ? await scores.readUsage(project, names, splits) : used
    const monitors: Monitor[] = []
    for (const { object_id, digest, val } of versions) {
      const facts = {
        object_id,
        digest,
        ref: objectRef(project, { object_id, digest }),
        value: val instanceof JsonText ? parseJson(val.json) : val,
        state: states.get(object_id),
        jobs: await jobs.countByKey(project, jobKeyPrefix(object_id)),
        scores: counts.get(object_id),
        usage: usage.filter(({ monitor }) => monitor === object_id),
        prices: found,
      }
      monitors.push(toMonitor(facts))
    }
    return monitors
  }

  return {
    async list({ entity, project: name, limit, offset }, context) {
      const project = await context.open(`${entity}/${name}`)
      const page = { limit: limit ?? defaultLimit, offset: offset ?? 0 }
      if (page.limit < 1 || page.limit > maxLimit) throw badRequest(`limit must be from 1 to ${maxLimit}, got ${page.limit}`)
      if (page.offset < 0) throw badRequest(`offset must be 0 or more, got ${page.offset}`)
      const versions = await objects.select(project, {
        filter: latestMonitors,
        sort_by: [{ field: 'object_id', direction: 'asc' }],
        ...page,
      })
      const view = { values: true, sizes: false, labels: false }
      const shown = await presentVersions({ project, projects: refProjects(project, context), view }, versions)
      return { monitors: await toMonitors(project, shown) }
    },
  }
}
