import { formatTimestamp, type Handlers, isApiError, type tracing } from '@heddle/core-api'
import type { CreatedFeedback, FeedbackInput } from '@heddle/core-api/types'
import { invalid, JsonText } from '@heddle/core-api/internal'
import type { FeedbackRow } from '@heddle/datastore'
import { stringifyJson } from '@heddle/json'
import { timeSlices } from '@heddle/service-kit'
import type { TracingContext } from '../../context.ts'
import type { RefProjectsFor } from '../../payload/ref-projects.ts'
import { hidePrivateRefs } from '../../payload/rewrite-refs.ts'
import { readPurgedIds } from '../../query/purged-ids.ts'
import { toFeedbackRecord } from './feedback-record.ts'
import type { FeedbackStore } from './feedback-store.ts'
import type { PurgeFeedback } from './purge/purge-feedback.ts'
import type { FeedbackWriter, NewFeedback } from './write/feedback-writer.ts'
import type { BeginFeedback } from './write/prepare-feedback.ts'

type Feedback = (typeof tracing)['feedback']
type RowsOperation = 'create' | 'createBatch' | 'query' | 'purge' | 'replace'

interface FeedbackRowsDeps {
  store: FeedbackStore
  writer: FeedbackWriter
  purge: PurgeFeedback
  begin: BeginFeedback
  refProjects: RefProjectsFor
}

/** Operations that write and read rows. */
export function feedbackRowsHandlers({
  store,
  writer,
  purge,
  begin,
  refProjects,
}: FeedbackRowsDeps): Handlers<Pick<Feedback, RowsOperation>, TracingContext> {
  async function prepare(feedback: FeedbackInput, context: TracingContext, preparer = begin()): Promise<NewFeedback> {
    const project = await context.open(feedback.project_id)
    const draft = await preparer.prepare(project, feedback, refProjects(project, context))
    return { project, draft, wb_user_id: context.caller.userId }
  }

  return {
    async create(feedback, context) {
      const [row] = await writer.create([await prepare(feedback, context)])
      if (row === undefined) throw new Error('feedback was neither stored nor refused')
      return toCreated(row)
    },

    async createBatch({ batch }, context) {
      const prepared: NewFeedback[] = []
      const preparer = begin()
      const pace = timeSlices.begin()
      for (const [index, feedback] of batch.entries()) {
        prepared.push(await atItem(index, prepare(feedback, context, preparer)))
        const turn = pace()
        if (turn) await turn
      }
      const rows = await writer.create(prepared)
      const created: string[] = []
      for (const row of rows) {
        const turn = pace()
        if (turn) await turn
        created.push(toCreated(row).json)
      }
      return new JsonText(`{"res":[${created.join(',')}]}`)
    },

    async query({ project_id, fields: requested, query, sort_by, limit, offset }, context) {
      const project = await context.open(project_id)
      const fields = requested === null || requested.length === 0 ? null : requested
      const selection = { fields, query, sort_by, limit, offset }
      const [rows, total] = await Promise.all([store.select(project, selection), store.count(project, selection)])
      const { maySee } = refProjects(project, context)
      const shown = await Promise.all(rows.map((row) => hidePrivateRefs(toFeedbackRecord(row, fields).json, project.id, maySee)))
      return new JsonText(`{"result":[${shown.join(',')}],"total_count":${total}}`)
    },

    async purge({ project_id, query }, context) {
      const ids = readPurgedIds(query, 'Can only purge feedback by specifying one or more feedback ids')
      await purge(await context.open(project_id), ids)
      return {}
    },

    async replace({ feedback_id, ...feedback }, context) {
      return toCreated(await writer.replace(feedback_id, await prepare(feedback, context)))
    },
  }
}

function toCreated({ id, created_at, wb_user_id, payload }: FeedbackRow): JsonText<CreatedFeedback> {
  return new JsonText(stringifyJson({ id, created_at: formatTimestamp(created_at), wb_user_id, payload: new JsonText(payload) }))
}

/** Refuses an item at its location: clients then send the rest again without it, while any other refusal would cost them the batch. */
function atItem<T>(index: number, prepared: Promise<T>): Promise<T> {
  return prepared.catch((error: unknown) => {
    if (!isApiError(error) || (error.code !== 'bad_request' && error.code !== 'not_found')) throw error
    throw invalid([{ loc: ['body', 'batch', index], msg: error.message, type: 'value_error' }])
  })
}
