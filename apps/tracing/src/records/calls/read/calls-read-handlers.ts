import type { Handlers, InputOf, tracing } from '@heddle/core-api'
import { badRequest, JsonText, notFound, refScheme } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import type { TracingContext } from '../../../context.ts'
import { hidePrivateRefs } from '../../../payload/rewrite-refs.ts'
import type { RefProjectsFor } from '../../../payload/ref-projects.ts'
import type { PricesFor } from '../../costs/prices.ts'
import { toCallFeedback } from '../../feedback/feedback-record.ts'
import type { FeedbackStore } from '../../feedback/feedback-store.ts'
import type { ResolveRefs } from '../../refs/resolve-refs.ts'
import type { CallsStore } from '../calls-store.ts'
import { expandRefs } from './expand-refs.ts'
import { presentCalls } from './present-calls.ts'
import { readCalls, toRecords, type CallsView, type RecordCache } from './read-calls.ts'
import { isOfTraces } from '../../../query/compile/compile-filter.ts'
import { neededPayloads, selectedFields } from './selected-fields.ts'
import { toTraceCalls, traceTexts } from './trace-call.ts'

type Calls = (typeof tracing)['calls']
type ReadOperation = 'read' | 'streamQuery' | 'streamTrace' | 'query' | 'queryStats'
type CallsQuery = InputOf<Calls['streamQuery']>

/** Optional additions to records of a query. */
const additions = ['include_costs', 'include_feedback', 'include_storage_size', 'include_total_storage_size', 'include_usernames'] as const

interface CallsReadDeps {
  store: CallsStore
  prices: PricesFor
  resolveRefs: ResolveRefs
  feedback: Pick<FeedbackStore, 'ofCalls'>
  refProjects: RefProjectsFor
}

/** Operations that read calls. */
export function callsReadHandlers({
  store,
  prices,
  resolveRefs,
  feedback,
  refProjects,
}: CallsReadDeps): Handlers<Pick<Calls, ReadOperation>, TracingContext> {
  const keptRecords: RecordCache = new WeakMap()

  /** Payloads as this caller may see them. */
  const presenter = (project: ProjectScope, context: TracingContext) =>
    presentCalls({ projectId: project.id, maySee: refProjects(project, context).maySee })

  async function found(project: ProjectScope, refs: readonly string[]): Promise<Map<string, unknown>> {
    const values = new Map<string, unknown>()
    for (const [ref, resolved] of await resolveRefs(project, refs)) {
      if (resolved.status === 'found' && resolved.value !== null) values.set(ref, resolved.value)
    }
    return values
  }

  /** The feedback on calls, by call id, as this caller may see it; calls without any are omitted. */
  async function feedbackOn(callIds: readonly string[], project: ProjectScope, context: TracingContext) {
    const { maySee } = refProjects(project, context)
    const start = `${refScheme}${project.id}/call/`.length
    const lists = new Map<string, JsonText[]>()
    for (const row of await feedback.ofCalls(project, callIds)) {
      const id = row.weave_ref.slice(start)
      const shown = new JsonText(await hidePrivateRefs(toCallFeedback(row).json, project.id, maySee))
      lists.set(id, [...(lists.get(id) ?? []), shown])
    }
    return lists
  }

  function viewOf(query: CallsQuery, project: ProjectScope, context: TracingContext): CallsView {
    const fields = selectedFields(query)
    const present = presenter(project, context)
    const expanded = query.return_expanded_column_values ? (query.expand_columns ?? []) : []
    const isPlain =
      fields === undefined && expanded.length === 0 && query.max_text_length === null && !additions.some((name) => query[name])
    return {
      fields,
      payloads: neededPayloads(fields),
      pricesOf: query.include_costs ? (models) => prices(project, models) : undefined,
      storageSize: query.include_storage_size,
      totalStorageSize: query.include_total_storage_size,
      usernames: query.include_usernames,
      maxTextLength: query.max_text_length ?? undefined,
      failuresBelow: isOfTraces(query.filter),
      feedbackOf: query.include_feedback ? (callIds) => feedbackOn(callIds, project, context) : undefined,
      present: async (calls) => present(expanded.length === 0 ? calls : await expandRefs(calls, expanded, (refs) => found(project, refs))),
      kept: isPlain ? keptRecords : undefined,
    }
  }

  async function selectCalls(query: CallsQuery, context: TracingContext): Promise<AsyncGenerator<JsonText>> {
    const project = await context.open(query.project_id)
    return readCalls(store, project, await store.select(project, query), viewOf(query, project, context))
  }

  return {
    async read(input, context) {
      const project = await context.open(input.project_id)
      const call = await store.readOne(project, input.id)
      if (call === undefined) return { call: null }
      const view: CallsView = {
        fields: undefined,
        payloads: neededPayloads(undefined),
        pricesOf: input.include_costs ? (models) => prices(project, models) : undefined,
        storageSize: input.include_storage_size,
        totalStorageSize: input.include_total_storage_size,
        usernames: false,
        maxTextLength: undefined,
        failuresBelow: false,
        feedbackOf: undefined,
        present: presenter(project, context),
        kept: input.include_costs || input.include_storage_size || input.include_total_storage_size ? undefined : keptRecords,
      }
      const [record] = await toRecords(store, project, [call], view)
      return new JsonText(`{"call":${record?.json ?? 'null'}}`)
    },

    streamQuery: selectCalls as Handlers<Pick<Calls, 'streamQuery'>, TracingContext>['streamQuery'],

    async streamTrace({ project_id, call_id, limit }, context) {
      const project = await context.open(project_id)
      const traceId = await store.traceOf(project, call_id)
      if (traceId === undefined) throw notFound(`Call ${call_id} was not found in ${project_id}`)
      const [nodes, aboveFailed] = await Promise.all([
        store.traceNodes(project, { traceId, limit, texts: traceTexts }),
        store.aboveFailed(project, [traceId]),
      ])
      return toTraceCalls(nodes, aboveFailed)
    },

    async query(query, context) {
      const records: string[] = []
      for await (const record of await selectCalls(query, context)) records.push(record.json)
      return new JsonText(`{"calls":[${records.join(',')}]}`)
    },

    async queryStats(input, context) {
      const project = await context.open(input.project_id)
      if (input.limit !== null && input.limit < 0) throw badRequest('Limit must be a positive integer')
      const selection = { ...input, sort_by: [], offset: null }
      const [count, total_storage_size_bytes] = await Promise.all([
        store.count(project, selection),
        input.include_total_storage_size ? store.storageOf(project, selection) : null,
      ])
      return { count, has_more: input.limit !== null && count >= input.limit, total_storage_size_bytes }
    },
  }
}
