import type { Handlers, tracing } from '@heddle/core-api'
import type { AnnotationQueue } from '@heddle/core-api/types'
import { badRequest, notFound } from '@heddle/core-api/internal'
import type { KeyedLock, Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { TracingContext } from '../../../context.ts'
import type { RefProjectsFor } from '../../../payload/ref-projects.ts'
import { hidePrivateRefs, rewriteRefs } from '../../../payload/rewrite-refs.ts'
import { toQueuesOrder } from '../annotation-order.ts'
import type { AnnotationQueuesStore, QueueChanges, StoredQueue } from './annotation-queues-store.ts'
import { toQueue } from '../annotation-records.ts'
import { checkPage, checkQueue } from './check-queue.ts'

type QueueOperation = 'create' | 'streamQuery' | 'stats' | 'read' | 'update' | 'delete'

/** Queues of a project that are not deleted. */
const maxQueues = 10_000

export interface AnnotationQueuesDeps {
  queues: AnnotationQueuesStore
  refProjects: RefProjectsFor
  locks: KeyedLock
  clock: () => Micros
  newId: () => string
}

/** Operations on queues as a whole. */
export function annotationQueuesHandlers({
  queues,
  refProjects,
  locks,
  clock,
  newId,
}: AnnotationQueuesDeps): Handlers<Pick<(typeof tracing)['annotationQueues'], QueueOperation>, TracingContext> {
  async function toExternal(refs: readonly string[], project: ProjectScope, context: TracingContext): Promise<string[]> {
    return (await rewriteRefs(refs, refProjects(project, context))).external as string[]
  }

  /** Shows queues to a caller: references into projects that it may not see are hidden. */
  function presenter(project: ProjectScope, context: TracingContext) {
    const { maySee } = refProjects(project, context)
    return async (queue: StoredQueue): Promise<AnnotationQueue> => {
      const refs = JSON.parse(await hidePrivateRefs(JSON.stringify(queue.scorer_refs), project.id, maySee)) as string[]
      return toQueue(queue, refs)
    }
  }

  return {
    async create({ project_id, name, description, scorer_refs, reviewers_per_item, reservation_minutes, item_order }, context) {
      const project = await context.open(project_id)
      checkQueue({ name, description, scorer_refs })
      const now = clock()
      const queue: StoredQueue = {
        id: newId(),
        project_id: project.id,
        name,
        description,
        scorer_refs: await toExternal(scorer_refs, project, context),
        reviewers_per_item,
        reservation_minutes,
        item_order,
        created_by: context.caller.userId,
        created_at: now,
        updated_at: now,
        deleted_at: null,
      }
      await locks.withKeys(project, [`annotation_queues\0${project.id}`], async () => {
        if ((await queues.count(project)) >= maxQueues)
          throw badRequest(`Project ${project.id} has ${maxQueues} annotation queues, at most ${maxQueues} are allowed: delete some first`)
        await queues.insert(project, queue)
      })
      return { id: queue.id }
    },

    async streamQuery({ project_id, name, sort_by, limit, offset }, context) {
      const project = await context.open(project_id)
      checkPage({ limit, offset })
      const selection = { name: name ?? '', order: toQueuesOrder(sort_by), limit, offset: offset ?? 0 }
      return present(queues.select(project, selection), presenter(project, context))
    },

    async stats({ project_id, queue_ids }, context) {
      const project = await context.open(project_id)
      const counts = await queues.counts(project, [...new Set(queue_ids)])
      return { stats: queue_ids.map((queue_id) => ({ queue_id, ...(counts.get(queue_id) ?? { total_items: 0, completed_items: 0 }) })) }
    },

    async read({ project_id, queue_id }, context) {
      const project = await context.open(project_id)
      const queue = await queues.find(project, queue_id)
      if (queue === undefined) throw unknownQueue(queue_id)
      return { queue: await presenter(project, context)(queue) }
    },

    async update({ project_id, queue_id, name, description, scorer_refs, ...setUp }, context) {
      const project = await context.open(project_id)
      checkQueue({ name, description, scorer_refs })
      const changes: QueueChanges = {
        ...(name !== null && { name }),
        ...(description !== null && { description }),
        ...(scorer_refs !== null && { scorer_refs: await toExternal(scorer_refs, project, context) }),
        ...(setUp.reviewers_per_item !== null && { reviewers_per_item: setUp.reviewers_per_item }),
        ...(setUp.reservation_minutes !== null && { reservation_minutes: setUp.reservation_minutes }),
        ...(setUp.item_order !== null && { item_order: setUp.item_order }),
      }
      const isUnchanged = Object.keys(changes).length === 0
      const queue = await (isUnchanged ? queues.find(project, queue_id) : queues.update(project, queue_id, { ...changes, at: clock() }))
      if (queue === undefined) throw unknownQueue(queue_id)
      return { queue: await presenter(project, context)(queue) }
    },

    async delete({ project_id, queue_id }, context) {
      const project = await context.open(project_id)
      const queue = await queues.delete(project, queue_id, clock())
      if (queue === undefined) throw notFound(`Queue ${queue_id} not found or already deleted`)
      return { queue: await presenter(project, context)(queue) }
    },
  }
}

/** 404 for a queue that the project does not have, or that was deleted. */
export function unknownQueue(id: string) {
  return notFound(`Queue ${id} not found`)
}

async function* present(blocks: AsyncIterable<StoredQueue[]>, show: (queue: StoredQueue) => Promise<AnnotationQueue>) {
  for await (const block of blocks) for (const queue of block) yield await show(queue)
}
