import { formatTimestamp, mentionedIn } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import type { FeedbackRow } from '@heddle/datastore'
import { parseProjectId, type ProjectMembers } from '@heddle/identity'
import { parseJson } from '@heddle/json'
import type { ServiceLog } from '@heddle/service-kit'
import type { EventOutbox, ProjectEvent } from '../../events/event-outbox.ts'
import type { OnFeedbackStored } from '../../records/feedback/write/feedback-writer.ts'
import { cutText } from './webhook-limits.ts'

interface AnnounceMentionsDeps {
  outbox: Pick<EventOutbox, 'mayWant' | 'appendNow'>
  identity: ProjectMembers
  log: ServiceLog | undefined
}

const type = 'feedback.mention'

/**
 * Sends webhook events of notes that mention members of their project. If a note replaces another one, only new mentions count. Never rejects, since
 * the notes are stored; it continues when the client of a request leaves.
 */
export function createAnnounceMentions({ outbox, identity, log }: AnnounceMentionsDeps): OnFeedbackStored {
  async function announce(row: FeedbackRow, known: readonly string[]): Promise<void> {
    if (!outbox.mayWant(row.project_id, type)) return
    const names = mentionedIn(noteOf(row)).filter((name) => !known.includes(name))
    if (names.length === 0) return
    const members = new Set(await identity.listMembers(parseProjectId(row.project_id)))
    const mentioned = names.filter((name) => members.has(name))
    if (mentioned.length > 0) await outbox.appendNow(mentionEvent(row, mentioned))
  }

  return async (stored, replaced) => {
    const known = replaced.flatMap((row) => mentionedIn(noteOf(row)))
    for (const row of stored) {
      try {
        await announce(row, known)
      } catch (error) {
        log?.error({ operation: 'webhooks.append', err: error }, 'an event was dropped: its message could not be stored')
      }
    }
  }
}

function mentionEvent(row: FeedbackRow, mentioned: readonly string[]): ProjectEvent {
  const { project_id, id, weave_ref, wb_user_id, created_at } = row
  const data = {
    project_id,
    feedback_id: cutText(id),
    weave_ref: cutText(weave_ref),
    user_id: wb_user_id,
    mentioned,
    note: cutText(noteOf(row)),
    created_at: formatTimestamp(created_at),
  }
  // A note that replaces another one may have its id.
  return { projectId: project_id, type, subject: `${id} ${created_at}`, data }
}

/** The text of a note; empty for any other feedback. */
function noteOf({ feedback_type, payload }: FeedbackRow): string {
  const value = feedback_type === 'wandb.note.1' ? parseJson(payload) : undefined
  return isJsonObject(value) && typeof value.note === 'string' ? value.note : ''
}
