import type { FeedbackInput } from '@heddle/core-api/types'
import { badRequest, isJsonObject, notFound } from '@heddle/core-api/internal'
import type { FeedbackRow } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { exceedsCanonicalLength, stringifyJson } from '@heddle/json'
import { timeSlices } from '@heddle/service-kit'
import { type RefProjects, rewriteRefs } from '../../../payload/rewrite-refs.ts'
import { toObjectClass } from '../../objects/versions/object-class.ts'
import type { ResolveRefs } from '../../refs/resolve-refs.ts'
import { findFeedbackProblem } from './check-feedback.ts'
import { type FeedbackType, parseFeedbackType } from './feedback-type.ts'
import type { BeginSchemaChecks, FindSchemaMismatch } from './schema-mismatch.ts'
import { fillSpanIds } from './span-target.ts'

const maxPayloadCharacters = 1024 * 1024

/** A feedback that may be stored: all of a row but who stores it, and when. */
export type FeedbackDraft = Omit<FeedbackRow, 'id' | 'wb_user_id' | 'created_at' | 'version' | 'is_deleted'> & {
  /** Null: one is to be made. */
  id: string | null
}

/** Begins a request: what its schemas take is counted together. */
export type BeginFeedback = () => FeedbackPreparer

export interface FeedbackPreparer {
  /**
   * Checks a feedback and completes it.
   * @throws 400 for one that breaks a rule of its type, 404 for an annotation spec that never was.
   */
  prepare(project: ProjectScope, feedback: FeedbackInput, refProjects: RefProjects): Promise<FeedbackDraft>
}

interface FeedbackPreparerDeps {
  resolveRefs: ResolveRefs
  beginSchemaChecks: BeginSchemaChecks
  /** True for an annotation queue that the project has. */
  hasQueue(project: ProjectScope, queueId: string): Promise<boolean>
}

/** Context for checking the feedback of one request. */
interface RequestContext {
  refProjects: RefProjects
  findSchemaMismatch: FindSchemaMismatch
}

interface Annotation {
  ref: string
  value: unknown
  findSchemaMismatch: FindSchemaMismatch
}

export function createBeginFeedback({ resolveRefs, beginSchemaChecks, hasQueue }: FeedbackPreparerDeps): BeginFeedback {
  async function checkAnnotation(project: ProjectScope, { ref, value, findSchemaMismatch }: Annotation): Promise<void> {
    const resolved = (await resolveRefs(project, [ref])).get(ref)
    if (resolved === undefined || resolved.status === 'unknown') throw notFound(`annotation_ref ${ref} not found`)
    if (resolved.status === 'deleted') throw badRequest(`annotation_ref ${ref} was deleted`)
    if (resolved.status === 'invalid') throw badRequest(`Invalid ref: ${resolved.reason}`)
    const spec = resolved.value
    if (!isJsonObject(spec) || toObjectClass(spec).leaf_object_class !== 'AnnotationSpec')
      throw badRequest(`annotation_ref ${ref} is not an AnnotationSpec`)
    if (spec.field_schema === undefined || spec.field_schema === null) return
    const mismatch = findSchemaMismatch(spec.field_schema, value)
    if (mismatch !== undefined) throw badRequest(`Feedback payload does not match annotation spec: ${mismatch}`)
  }

  async function prepare(
    project: ProjectScope,
    given: FeedbackInput,
    { refProjects, findSchemaMismatch }: RequestContext,
  ): Promise<FeedbackDraft> {
    const type = parseFeedbackType(given.feedback_type)
    if (type === undefined) throw badRequest(`feedback_type ${JSON.stringify(given.feedback_type)} needs a name after a dot`)
    if (exceedsCanonicalLength(given.payload, maxPayloadCharacters))
      throw badRequest('Feedback payload too large: at most 1 MiB of JSON text')
    const pace = timeSlices.begin()
    const { external } = await rewriteRefs(given, refProjects)
    const feedback = external as FeedbackInput
    const problem = findFeedbackProblem(feedback, type)
    if (problem !== undefined) throw badRequest(problem)
    const payload = await completePayload(feedback.payload, type)
    await pace()
    if (feedback.queue_id !== null && !(await hasQueue(project, feedback.queue_id)))
      throw badRequest(`annotation queue ${JSON.stringify(feedback.queue_id)} not found in ${project.id}`)
    if (type.kind === 'annotation')
      await checkAnnotation(project, { ref: feedback.annotation_ref ?? '', value: payload.value, findSchemaMismatch })
    return toDraft(project, feedback, { payload, spanIds: spanIdsOf(feedback, type) })
  }

  return () => {
    const findSchemaMismatch = beginSchemaChecks()
    return { prepare: (project, feedback, refProjects) => prepare(project, feedback, { refProjects, findSchemaMismatch }) }
  }
}

/** The payload with the additions of its type. */
async function completePayload(payload: FeedbackInput['payload'], { kind }: FeedbackType): Promise<FeedbackInput['payload']> {
  if (kind !== 'reaction') return payload
  // The names of all emoji are the largest text of the service, and most servers never see a reaction.
  const { readEmoji } = await import('./emoji.ts')
  const emoji = readEmoji(String(payload.emoji))
  if (emoji === undefined) throw badRequest('payload of a reaction needs exactly one emoji in "emoji"')
  return { ...payload, ...emoji }
}

function spanIdsOf(feedback: FeedbackInput, { kind }: FeedbackType) {
  const { span_conversation_id, span_trace_id } = feedback
  if (kind !== 'agent_monitor' && kind !== 'agent_user_feedback') return { span_conversation_id, span_trace_id }
  const target = fillSpanIds(feedback.weave_ref, feedback)
  if (target.status === 'refused') throw badRequest(target.reason)
  return target.ids
}

interface CompletedFields {
  payload: FeedbackInput['payload']
  spanIds: Pick<FeedbackRow, 'span_conversation_id' | 'span_trace_id'>
}

function toDraft(project: ProjectScope, feedback: FeedbackInput, { payload, spanIds }: CompletedFields): FeedbackDraft {
  return {
    id: feedback.id,
    project_id: project.id,
    weave_ref: feedback.weave_ref,
    creator: feedback.creator,
    feedback_type: feedback.feedback_type,
    payload: stringifyJson(payload),
    annotation_ref: feedback.annotation_ref ?? '',
    runnable_ref: feedback.runnable_ref ?? '',
    call_ref: feedback.call_ref ?? '',
    trigger_ref: feedback.trigger_ref ?? '',
    queue_id: feedback.queue_id ?? '',
    scorer_tags: feedback.scorer_tags,
    scorer_tag_reasons: stringifyJson(feedback.scorer_tag_reasons),
    scorer_tag_confidences: stringifyJson(feedback.scorer_tag_confidences),
    scorer_ratings: stringifyJson(feedback.scorer_ratings),
    scorer_rating_reasons: stringifyJson(feedback.scorer_rating_reasons),
    scorer_rating_confidences: stringifyJson(feedback.scorer_rating_confidences),
    span_agent_name: feedback.span_agent_name,
    span_agent_version: feedback.span_agent_version,
    ...spanIds,
    span_status_code: feedback.span_status_code,
    scorer_trace_id: feedback.scorer_trace_id,
  }
}
