import type { Database } from '@heddle/datastore'
import { addToCounts, finishedStates, lockQueue, waitingStates } from './job-states-store.sql.ts'
import type { QueueUpkeepStore } from './jobs-store.ts'

const rowsAtOnce = 500

export function sqlQueueUpkeepStore({ database, queue }: { database: Database; queue: string }): QueueUpkeepStore {
  /** The project with the most finished jobs above the bound, and its oldest ones beyond it. */
  async function findSurplus(perProject: number) {
    const crowded = await database
      .selectFrom('job_queues')
      .select(['project_id', 'finished'])
      .where('queue', '=', queue)
      .where('finished', '>', perProject)
      .orderBy('finished', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!crowded) return []
    return database
      .selectFrom('jobs')
      .select(['number', 'project_id'])
      .where('queue', '=', queue)
      .where('project_id', '=', crowded.project_id)
      .where('state', 'in', finishedStates)
      .orderBy('number')
      .limit(Math.min(crowded.finished - perProject, rowsAtOnce))
      .execute()
  }

  const remove = (projectId: string, numbers: readonly number[]) =>
    database.transaction().execute(async (transaction) => {
      const place = { queue, project_id: projectId }
      await lockQueue(transaction, place)
      const removed = await transaction.deleteFrom('jobs').where('number', 'in', numbers).executeTakeFirst()
      await addToCounts(transaction, place, { finished: -Number(removed.numDeletedRows) })
      return Number(removed.numDeletedRows)
    })

  return {
    async totals() {
      const sums = await database
        .selectFrom('job_queues')
        .select(({ fn }) => [fn.sum('waiting').as('waiting'), fn.sum('running').as('running'), fn.sum('finished').as('finished')])
        .where('queue', '=', queue)
        .executeTakeFirstOrThrow()
      const oldest = await Promise.all(
        waitingStates.map((state) =>
          database
            .selectFrom('jobs')
            .select('created_at')
            .where('queue', '=', queue)
            .where('state', '=', state)
            .orderBy('number')
            .limit(1)
            .executeTakeFirst(),
        ),
      )
      const times = oldest.flatMap((job) => job?.created_at ?? [])
      return {
        waiting: Number(sums.waiting ?? 0),
        running: Number(sums.running ?? 0),
        finished: Number(sums.finished ?? 0),
        oldestWaitingSince: times.length === 0 ? null : Math.min(...times),
      }
    },

    async sweep({ endedBefore, perProject }) {
      const expired = await database
        .selectFrom('jobs')
        .select(['number', 'project_id'])
        .where('queue', '=', queue)
        .where('ended_at', '<', endedBefore)
        .orderBy('ended_at')
        .limit(rowsAtOnce)
        .execute()
      const rows = expired.length > 0 ? expired : await findSurplus(perProject)
      let removed = 0
      for (const [projectId, numbers] of numbersByProject(rows)) removed += await remove(projectId, numbers)
      return removed
    },
  }
}

function numbersByProject(rows: readonly { number: number; project_id: string }[]): Map<string, number[]> {
  const numbers = new Map<string, number[]>()
  for (const { number, project_id } of rows) numbers.set(project_id, [...(numbers.get(project_id) ?? []), number])
  return numbers
}
