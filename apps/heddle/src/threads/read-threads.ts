import { displayNameOf } from '@heddle/core-api'
import type { Thread, ThreadTurn } from '@heddle/core-api/types'
import type { TracingClient } from '../connect.ts'
import { createSpanNames } from '../traces/span-names.ts'

/** A turn with the name to show: that of its span where it was sent as one. */
export interface NamedTurn extends ThreadTurn {
  name: string
}

export interface ThreadSource {
  client: TracingClient
  project: string
  signal: AbortSignal
}

/** Turns that one request reads. */
const turnsAtOnce = 200

/** The threads of a project, those that were updated last first. */
export async function readThreads({ client, project, signal }: ThreadSource, limit: number): Promise<Thread[]> {
  const threads: Thread[] = []
  for await (const thread of client.threads.streamQuery({ project_id: project, limit }, { signal })) threads.push(thread)
  return threads
}

/** The first turns of a thread, in the order of their starts. */
export async function readTurns({ client, project, signal }: ThreadSource, thread_id: string, limit: number): Promise<NamedTurn[]> {
  const turns: ThreadTurn[] = []
  for (let isLast = false; !isLast && turns.length < limit;) {
    const last = turns.at(-1)
    const page = { limit: Math.min(turnsAtOnce, limit - turns.length), after: last ? { started_at: last.started_at, id: last.id } : null }
    const before = turns.length
    for await (const turn of client.threads.streamTurns({ project_id: project, thread_id, ...page }, { signal })) turns.push(turn)
    isLast = turns.length - before < page.limit
  }
  const named = await createSpanNames({ client, project, signal })(turns)
  return turns.map((turn, at) => ({ ...turn, name: displayNameOf(named[at] ?? turn) }))
}
