import type { InputOf, tracing } from '@heddle/core-api'
import { badRequest, invalid } from '@heddle/core-api/internal'
import type { Steps } from '@heddle/service-kit'
import { v7 as newUuid } from 'uuid'
import type { CallChange } from './call-change.ts'
import { toCompleteChange, toEndChange, toStartChange, type CallIds, type WriteContext } from './call-input.ts'
import { findCallProblem, type CheckedFields } from './check-call.ts'

type Calls = (typeof tracing)['calls']
type BatchItem = InputOf<Calls['upsertBatch']>['batch'][number]
type CompleteItem = InputOf<Calls['complete']>['batch'][number]
type StartRecord = InputOf<Calls['start']>['start']
type EndRecord = InputOf<Calls['end']>['end']

/** A change with the project that its record names. */
export interface ProjectChange {
  project_id: string
  change: CallChange
}

/** The change of an item of a batch. */
export interface ItemChange extends ProjectChange {
  /** Location of the record in the request, as in `Issue`. */
  loc: (string | number)[]
}

/** The writes and the answer of a batch of halves. */
export interface HalvesToWrite {
  changes: ItemChange[]
  answers: (CallIds | Record<string, never>)[]
}

/** Reads one start. @throws ApiError 400 for a field that breaks a rule. */
export function* readStart(start: StartRecord, context: WriteContext): Steps<{ ids: CallIds; change: CallChange }> {
  refuseProblem(start)
  return yield* startOf(start, context)
}

/** Reads one end. @throws ApiError 400 for a field that breaks a rule. */
export function* readEnd(end: EndRecord): Steps<CallChange> {
  refuseProblem({ id: end.id })
  return yield* toEndChange(end)
}

/** Reads a batch of starts and ends. @throws ApiError 422 that names the item: clients then send the rest again without it. */
export function* readHalves(batch: readonly BatchItem[], context: WriteContext): Steps<HalvesToWrite> {
  const changes: ItemChange[] = []
  const answers: HalvesToWrite['answers'] = []
  for (const [index, item] of batch.entries()) {
    const { start, end } = halvesOf(item)
    if (start) {
      const loc = ['body', 'batch', index, 'req', 'start']
      refuseItem(start, loc)
      const { ids, change } = yield* startOf(start, context)
      changes.push({ project_id: start.project_id, change, loc })
      answers.push(ids)
    } else if (end) {
      const loc = ['body', 'batch', index, 'req', 'end']
      refuseItem({ id: end.id }, loc)
      changes.push({ project_id: end.project_id, change: yield* toEndChange(end), loc })
      answers.push({})
    }
    yield
  }
  return { changes, answers }
}

/** Reads a batch of whole calls. @throws ApiError 422 that names the item. */
export function* readCompleted(batch: readonly CompleteItem[], context: WriteContext): Steps<ItemChange[]> {
  const changes: ItemChange[] = []
  for (const [index, call] of batch.entries()) {
    const loc = ['body', 'batch', index]
    refuseItem(call, loc)
    changes.push({ project_id: call.project_id, change: yield* toCompleteChange(call, context), loc })
    yield
  }
  return changes
}

function* startOf(start: StartRecord, context: WriteContext): Steps<{ ids: CallIds; change: CallChange }> {
  const ids = { id: start.id ?? newUuid(), trace_id: start.trace_id ?? newUuid() }
  return { ids, change: yield* toStartChange(start, ids, context) }
}

function halvesOf({ mode, req }: BatchItem): BatchItem['req'] {
  if (mode !== null && mode !== 'start' && mode !== 'end') throw badRequest('Invalid mode')
  if (mode !== null && !req[mode])
    throw badRequest(`Invalid mode: "${mode}" for an item without ${mode === 'start' ? 'a start' : 'an end'}`)
  return req
}

function refuseProblem(fields: CheckedFields): void {
  const problem = findCallProblem(fields)
  if (problem !== undefined) throw badRequest(problem.reason)
}

function refuseItem(fields: CheckedFields, loc: ItemChange['loc']): void {
  const problem = findCallProblem(fields)
  if (problem !== undefined) throw invalid([{ loc: [...loc, problem.field], msg: problem.reason, type: 'value_error' }])
}
