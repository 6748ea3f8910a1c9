import { parseRef, type tracing } from '@heddle/core-api'
import type { ClientOf } from '@heddle/core-api/client'
import { queryOptions } from '@tanstack/react-query'
import { equals } from '@heddle/trace-model/query'
import { correctionType, fieldPrefix, noteType } from './answer-types.ts'
import { queuesKey } from './queue-queries.ts'

type Client = ClientOf<typeof tracing>

/** What an annotator entered for an item of a queue. */
export interface QueueAnswer {
  callId: string
  annotator: string
  /** Name of the field; undefined for a note and for a corrected output. */
  field: string | undefined
  isCorrection: boolean
  value: unknown
  createdAt: string
}

const maxAnswers = 20_000
const answersOfPage = 2_000

/** All answers of a queue, or those about one call of it, the oldest first. */
export const answersQuery = (client: Client, project_id: string, queue_id: string, callId?: string) =>
  queryOptions({
    queryKey: [...queuesKey(project_id), 'answers', queue_id, callId],
    queryFn: async ({ signal }) => {
      const conditions = [
        equals('queue_id', queue_id),
        ...(callId === undefined ? [] : [equals('weave_ref', `weave:///${project_id}/call/${callId}`)]),
      ]
      const query = { $expr: { $and: conditions } }
      const answers: QueueAnswer[] = []
      for (let offset = 0; ; offset += answersOfPage) {
        const request = { project_id, query, limit: answersOfPage, offset } as Parameters<Client['feedback']['query']>[0]
        const { result, total_count } = await client.feedback.query(request, { signal })
        answers.push(...result.flatMap((feedback) => toAnswer(feedback) ?? []))
        if (result.length < answersOfPage || offset + answersOfPage >= maxAnswers) return { answers, total: total_count }
      }
    },
  })

type Feedback = Awaited<ReturnType<Client['feedback']['query']>>['result'][number]

function toAnswer({ feedback_type, payload, wb_user_id, weave_ref, created_at }: Feedback): QueueAnswer | undefined {
  const type = String(feedback_type)
  const ref = parseRef(String(weave_ref))
  const isNote = type === noteType
  const isCorrection = type === correctionType
  if (ref?.kind !== 'call' || !(isNote || isCorrection || type.startsWith(fieldPrefix))) return undefined
  return {
    callId: ref.id,
    annotator: String(wb_user_id),
    field: isNote || isCorrection ? undefined : type.slice(fieldPrefix.length),
    isCorrection,
    value: isNote ? payload?.['note'] : payload?.['value'],
    createdAt: String(created_at),
  }
}
