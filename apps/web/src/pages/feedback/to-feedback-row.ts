import { parseConversationRef, parseRef, type Ref } from '@heddle/core-api'
import type { Feedback } from '@heddle/core-api/types'
import { readableCell } from '../../lib/texts/readable-cell.ts'
import { memberOf } from '@heddle/core-api/internal'

/** A feedback as the table keeps it: only short texts, so that many rows remain small. */
export interface FeedbackRow {
  id: string
  type: string
  /** Id of the user who gave it. */
  author: string
  /** Name of the user, if it was sent. */
  creator: string
  createdAt: string
  /** What was given, in one line: the emoji, note, value or output, else the whole payload. */
  value: string
  /** Reference of its subject. */
  about: string
  /** The call, if it is about one. */
  callId: string | undefined
  /** The conversation, if it is about a whole one. */
  threadId: string | undefined
  /** The version, if it is about one of an object or op. */
  version: { entity: string; project: string; kind: 'objects' | 'ops'; name: string; digest: string } | undefined
}

export function toFeedbackRow({ id, feedback_type, wb_user_id, creator, created_at, payload, weave_ref }: Feedback): FeedbackRow {
  const ref = readRef(String(weave_ref))
  return {
    id: String(id),
    type: String(feedback_type),
    author: String(wb_user_id),
    creator: creator ?? String(wb_user_id),
    createdAt: String(created_at),
    value: valueOf(payload),
    about: String(weave_ref),
    callId: ref?.kind === 'call' ? ref.id : undefined,
    threadId: parseConversationRef(String(weave_ref))?.id,
    version: versionOf(ref),
  }
}

/** Values of the usual types, without their field names; others with them. */
function valueOf(payload: unknown): string {
  for (const name of ['emoji', 'note', 'value', 'output']) {
    const value = memberOf(payload, name)
    if (value !== undefined && value !== null) return readableCell(value)
  }
  return readableCell(payload)
}

function versionOf(ref: Ref | undefined): FeedbackRow['version'] {
  if (ref?.kind !== 'object' && ref?.kind !== 'op') return undefined
  const { entity, project, kind, name, digest } = ref
  return { entity, project, kind: kind === 'op' ? 'ops' : 'objects', name, digest }
}

function readRef(text: string): Ref | undefined {
  try {
    return parseRef(text)
  } catch {
    return undefined
  }
}
