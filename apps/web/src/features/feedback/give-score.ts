import type { tracing } from '@heddle/core-api'
import type { ClientOf } from '@heddle/core-api/client'
import type { ScoreInput } from './score-form.tsx'
import { memberOf } from '@heddle/core-api/internal'
import { scoreObjectName } from './score-object-name.ts'
import { fieldPrefix } from '../queues/answer-types.ts'

type Client = ClientOf<typeof tracing>

/**
 * Adds a user's score, as an annotation. Its spec is created with the first score of a name.
 * @throws Error if the name is that of another object; ApiError if the value does not match the spec, and as the operations do
 */
export async function giveScore(
  client: Client,
  { project_id, about, name, value }: ScoreInput & { project_id: string; about: string },
): Promise<void> {
  const object_id = scoreObjectName(name)
  const digest = (await findSpec(client, project_id, object_id)) ?? (await createSpec(client, { project_id, object_id, name, value }))
  await client.feedback.create({
    project_id,
    weave_ref: about,
    feedback_type: fieldPrefix + object_id,
    payload: { value },
    annotation_ref: `weave:///${project_id}/object/${object_id}:${digest}`,
  })
}

/** Digest of the newest spec of the name. Undefined if there is none. */
async function findSpec(client: Client, project_id: string, object_id: string): Promise<string | undefined> {
  const filter = { object_ids: [object_id], latest_only: true, is_op: false }
  const [known] = (await client.objects.query({ project_id, filter, limit: 1 })).objs
  if (known === undefined) return undefined
  if (memberOf(known.val, '_class_name') !== 'AnnotationSpec')
    throw new Error(`"${object_id}" is the name of another object of the project: choose another name`)
  return known.digest
}

async function createSpec(
  client: Client,
  { project_id, object_id, name, value }: ScoreInput & { project_id: string; object_id: string },
): Promise<string> {
  const val = { name: name.trim(), field_schema: { type: typeof value } }
  const obj = { project_id, object_id, val, builtin_object_class: 'AnnotationSpec' }
  return (await client.objects.create({ obj } as Parameters<Client['objects']['create']>[0])).digest
}
