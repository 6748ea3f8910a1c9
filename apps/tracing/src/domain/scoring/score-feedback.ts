import { formatRef, parseRef } from '@heddle/core-api'
import { FeedbackInput } from '@heddle/core-api/types'
import { badRequest } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import type { RefProjects } from '../../payload/rewrite-refs.ts'
import type { FeedbackWriter } from '../../records/feedback/write/feedback-writer.ts'
import type { BeginFeedback } from '../../records/feedback/write/prepare-feedback.ts'

/** A score of a call, as feedback on it. */
export interface ScoreFeedback {
  id: string
  callId: string
  scorerRef: string
  scoreCallId: string
  value: unknown
  userId: string
  /** Reference to the monitor that requested the score. */
  monitorRef?: string
}

/** Stores scores as feedback on the calls that they judge. An id that is there already keeps its feedback. */
export type StoreScores = (project: ProjectScope, scores: readonly ScoreFeedback[]) => Promise<void>

export function createStoreScores({ begin, writer }: { begin: BeginFeedback; writer: FeedbackWriter }): StoreScores {
  return async (project, scores) => {
    if (scores.length === 0) return
    const preparer = begin()
    const drafts = await Promise.all(scores.map((score) => preparer.prepare(project, toInput(project, score), ownRefs(project))))
    await writer.create(drafts.map((draft, at) => ({ project, draft, wb_user_id: scores[at]?.userId ?? '' })))
  }
}

function toInput(project: ProjectScope, { id, callId, scorerRef, scoreCallId, value, monitorRef }: ScoreFeedback): FeedbackInput {
  const scorer = parseRef(scorerRef)
  const callRef = (call: string) => formatRef({ kind: 'call', entity: project.entity, project: project.name, id: call, edges: [] })
  return FeedbackInput.parse({
    id,
    project_id: project.id,
    weave_ref: callRef(callId),
    feedback_type: `wandb.runnable.${scorer?.kind === 'object' ? scorer.name : ''}`,
    payload: { output: value ?? null },
    runnable_ref: scorerRef,
    call_ref: callRef(scoreCallId),
    ...(monitorRef !== undefined && { trigger_ref: monitorRef }),
  })
}

/** References of work on the server name its own project alone. */
function ownRefs(project: ProjectScope): RefProjects {
  return {
    async internalIdOf(projectId) {
      if (projectId !== project.id)
        throw badRequest(`a score names the project ${projectId}; only references into ${project.id} are stored with it`)
      return project.internalId
    },
    findByInternalId: async (internalId) => (internalId === project.internalId ? project.id : undefined),
  }
}
