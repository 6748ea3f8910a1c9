import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { inject } from 'vitest'

/** Calls that one request can add to a queue. */
const callsAtOnce = 1_000

const { url, apiKey } = inject('webServer')

/** Acts for the user whom the browser tests sign in. */
export const annotationClient = createClient({ baseUrl: url, apiKey, contract: tracing })

/** Acts for another user of a project, who is named. */
export async function anotherAnnotator(project_id: string, name: string) {
  const { secret } = await annotationClient.projectKeys.create({ project_id, name, role: 'writer' })
  return createClient({ baseUrl: url, apiKey: secret, contract: tracing })
}

/** A queue of a project of its own with two fields and some calls. */
export async function createAnnotationQueue(items: number, display_fields: string[] = []) {
  const [entity, name] = ['test', randomUUID()]
  const project_id = `${entity}/${name}`
  const at = new Date(Date.UTC(2026, 0, 2)).toISOString()
  const batch = Array.from({ length: items }, (_, place) => ({
    project_id,
    id: randomUUID(),
    trace_id: randomUUID(),
    op_name: 'answer',
    started_at: at,
    ended_at: at,
    attributes: {},
    inputs: { question: `Question ${place}` },
    output: `Answer ${place}`,
    summary: {},
  }))
  await annotationClient.calls.complete({ entity, project: name, batch })
  const scorer_refs: string[] = []
  for (const [object_id, field_schema] of Object.entries({ correct: { type: 'boolean' }, quality: { type: 'number', maximum: 10 } })) {
    const obj = { project_id, object_id, val: { name: object_id, field_schema }, builtin_object_class: 'AnnotationSpec' }
    const { digest } = await annotationClient.objects.create({ obj })
    scorer_refs.push(`weave:///${project_id}/object/${object_id}:${digest}`)
  }
  const { id } = await annotationClient.annotationQueues.create({ project_id, name: 'Keys', scorer_refs })
  const callIds = batch.map((call) => call.id)
  for (let first = 0; first < items; first += callsAtOnce) {
    const call_ids = callIds.slice(first, first + callsAtOnce)
    await annotationClient.annotationQueues.addCalls({ project_id, queue_id: id, call_ids, display_fields })
  }
  return { project_id, id, path: `/${project_id}/queues/${id}` }
}
