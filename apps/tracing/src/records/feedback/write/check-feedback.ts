import { parseRef, type Ref } from '@heddle/core-api'
import type { FeedbackInput } from '@heddle/core-api/types'
import type { FeedbackType } from './feedback-type.ts'
import { scorerFields } from './scorer-fields.ts'

const maxNote = 1024

type Rule = (feedback: FeedbackInput, type: FeedbackType) => string | undefined

/** The first rule that the feedback alone breaks, in words; undefined when it keeps them all. */
export function findFeedbackProblem(feedback: FeedbackInput, type: FeedbackType): string | undefined {
  for (const rule of rules) {
    const problem = rule(feedback, type)
    if (problem !== undefined) return problem
  }
  return undefined
}

const refFields = ['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref'] as const
type RefField = (typeof refFields)[number]

const refKinds: Record<RefField, readonly Ref['kind'][]> = {
  annotation_ref: ['object'],
  runnable_ref: ['op', 'object'],
  call_ref: ['call'],
  trigger_ref: ['object'],
}

const requiredRefs: Record<FeedbackType['kind'], readonly RefField[]> = {
  reaction: [],
  note: [],
  annotation: ['annotation_ref'],
  runnable: ['runnable_ref'],
  agent_monitor: ['runnable_ref', 'call_ref', 'trigger_ref'],
  agent_user_feedback: [],
  custom: [],
}

const madeByScorers: ReadonlySet<FeedbackType['kind']> = new Set(['runnable', 'agent_monitor'])
const judgedByScorers: ReadonlySet<FeedbackType['kind']> = new Set(['runnable', 'agent_monitor', 'agent_user_feedback'])

const rules: readonly Rule[] = [
  checkId,
  checkMissingRefs,
  checkForbiddenRefs,
  checkRefKinds,
  checkRefNames,
  checkPayload,
  checkScorerFields,
]

function checkId({ id }: FeedbackInput): string | undefined {
  if (id === null || (id !== '' && !id.includes('\0'))) return undefined
  return `id ${JSON.stringify(id)} is not valid: leave it out, or send text without NUL`
}

function checkMissingRefs(feedback: FeedbackInput, type: FeedbackType): string | undefined {
  const missing = requiredRefs[type.kind].find((field) => feedback[field] === null)
  return missing === undefined ? undefined : `${missing} is required for feedback of type ${feedback.feedback_type}`
}

function checkForbiddenRefs(feedback: FeedbackInput, { kind }: FeedbackType): string | undefined {
  const allowed: readonly RefField[] =
    kind === 'annotation' ? ['annotation_ref'] : madeByScorers.has(kind) ? ['runnable_ref', 'call_ref', 'trigger_ref'] : []
  const forbidden = refFields.find((field) => feedback[field] !== null && !allowed.includes(field))
  return forbidden === undefined ? undefined : `${forbidden} is not allowed for feedback of type ${feedback.feedback_type}`
}

function checkRefKinds(feedback: FeedbackInput): string | undefined {
  const wrong = refFields.find((field) => !isRefOf(feedback[field], refKinds[field]))
  if (wrong === undefined) return undefined
  return `Invalid ref: ${shorten(feedback[wrong] ?? '')}. ${wrong} must be a ref of a kind of ${refKinds[wrong].join(' or ')}`
}

function isRefOf(text: string | null, kinds: readonly Ref['kind'][]): boolean {
  if (text === null) return true
  const ref = parseRef(text)
  return ref !== undefined && kinds.includes(ref.kind)
}

function checkRefNames(feedback: FeedbackInput, type: FeedbackType): string | undefined {
  if (type.kind !== 'annotation' && type.kind !== 'runnable') return undefined
  const field = type.kind === 'annotation' ? 'annotation_ref' : 'runnable_ref'
  const ref = parseRef(feedback[field] ?? '')
  if (ref?.kind !== 'object' && ref?.kind !== 'op') return undefined
  if (ref.name !== type.name) {
    return `feedback_type ${feedback.feedback_type} needs a ${field} to ${JSON.stringify(type.name)}, not to ${JSON.stringify(ref.name)}`
  }
  if (field === 'annotation_ref' && `${ref.entity}/${ref.project}` !== feedback.project_id) {
    return `annotation_ref ${shorten(feedback.annotation_ref ?? '')} must be in the project of the feedback, ${feedback.project_id}`
  }
  return ref.kind === 'op' && feedback.call_ref === null ? 'call_ref is required where runnable_ref is an op' : undefined
}

function checkPayload({ payload, feedback_type }: FeedbackInput, { kind }: FeedbackType): string | undefined {
  switch (kind) {
    case 'note':
      return noteProblem(payload.note)
    case 'reaction':
      return typeof payload.emoji === 'string' ? undefined : 'payload of a reaction needs a text "emoji"'
    case 'annotation':
      return Object.hasOwn(payload, 'value') ? undefined : `payload of ${feedback_type} needs a key "value"`
    case 'runnable':
      return Object.hasOwn(payload, 'output') ? undefined : `payload of ${feedback_type} needs a key "output"`
    default:
      return undefined
  }
}

function noteProblem(note: unknown): string | undefined {
  const length = typeof note === 'string' ? [...note].length : 0
  if (typeof note !== 'string' || length === 0) return 'payload of a note needs a text "note" that is not empty'
  return length > maxNote ? `note has ${length} characters; at most ${maxNote} are allowed` : undefined
}

function checkScorerFields(feedback: FeedbackInput, { kind }: FeedbackType): string | undefined {
  if (kind === 'agent_user_feedback' && feedback.scorer_tags.length === 0)
    return 'scorer_tags must not be empty for feedback of type wandb.agent_user_feedback'
  if (judgedByScorers.has(kind)) return undefined
  const given = scorerFields.find((field) => Object.keys(feedback[field]).length > 0)
  return given === undefined ? undefined : `${given} is not allowed for feedback of type ${feedback.feedback_type}`
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
