import type { tracing } from '@heddle/core-api'
import type { ClientOf } from '@heddle/core-api/client'
import { queryOptions } from '@tanstack/react-query'
import { equals } from '@heddle/trace-model/query'
import { correctionType, fieldPrefix, noteType } from '../../features/queues/answer-types.ts'
import type { StoredValue } from './annotation-saver.ts'

type Client = ClientOf<typeof tracing>

/** Names of the note and of the corrected output among the fields; no spec can have them. */
export const noteField = ' note'
export const correctionField = ' corrected output'
const maxFeedback = 1_000

export interface AnnotatedItem {
  project_id: string
  queueId: string
  callId: string
}

const callRefOf = ({ project_id, callId }: AnnotatedItem): string => `weave:///${project_id}/call/${callId}`

export const callQuery = (client: Client, project_id: string, id: string) =>
  queryOptions({
    queryKey: ['annotated-call', project_id, id],
    queryFn: async ({ signal }) => (await client.calls.read({ project_id, id }, { signal })).call,
  })

/** The user's existing answers for an item, by field. If a field has several, the newest. */
export const enteredQuery = (client: Client, item: AnnotatedItem, username: string) =>
  queryOptions({
    queryKey: ['entered', item.project_id, item.queueId, item.callId, username],
    queryFn: async ({ signal }): Promise<Record<string, StoredValue>> => {
      const conditions = [equals('queue_id', item.queueId), equals('weave_ref', callRefOf(item)), equals('wb_user_id', username)]
      const query = { $expr: { $and: conditions } }
      const request = { project_id: item.project_id, query, limit: maxFeedback } as Parameters<Client['feedback']['query']>[0]
      const { result } = await client.feedback.query(request, { signal })
      const entered: Record<string, StoredValue> = {}
      for (const { id = '', feedback_type = '', payload = {} } of result) {
        if (feedback_type === noteType) entered[noteField] = { id, value: payload['note'] }
        else if (feedback_type === correctionType) entered[correctionField] = { id, value: payload['value'] }
        else if (feedback_type.startsWith(fieldPrefix)) entered[feedback_type.slice(fieldPrefix.length)] = { id, value: payload['value'] }
      }
      return entered
    },
    // Later answers are in the saver.
    staleTime: Infinity,
    gcTime: 0,
  })

interface Entry extends AnnotatedItem {
  field: string
  /** Reference to the spec of the field. Undefined for the note and the corrected output. */
  specRef: string | undefined
  value: unknown
  replaced: string | undefined
}

/** Stores a value as feedback on the call. Returns the id of the feedback. */
export async function storeEntry(client: Client, entry: Entry): Promise<string> {
  const { field, specRef, value, replaced } = entry
  const feedback = {
    project_id: entry.project_id,
    weave_ref: callRefOf(entry),
    queue_id: entry.queueId,
    feedback_type: typeOf(field),
    payload: field === noteField ? { note: value } : { value },
    ...(specRef !== undefined && { annotation_ref: specRef }),
  } as Parameters<Client['feedback']['create']>[0]
  if (replaced === undefined) return (await client.feedback.create(feedback)).id
  return (await client.feedback.replace({ ...feedback, feedback_id: replaced })).id
}

function typeOf(field: string): string {
  if (field === noteField) return noteType
  return field === correctionField ? correctionType : fieldPrefix + field
}

export async function removeEntry(client: Client, project_id: string, id: string): Promise<void> {
  const query = { $expr: equals('id', id) }
  await client.feedback.purge({ project_id, query } as Parameters<Client['feedback']['purge']>[0])
}
