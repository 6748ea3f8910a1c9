import { notFound } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import type { Platform } from '../../platform.ts'
import type { CallColumns, CallsStore, PayloadColumn } from '../../records/calls/calls-store.ts'
import type { WriteContext } from '../../records/calls/write/call-input.ts'
import type { CallsWriter } from '../../records/calls/write/calls-writer.ts'
import type { DeleteCalls } from '../../records/calls/write/delete-calls.ts'
import type { EnsureOps } from '../../records/objects/publish/ensure-ops.ts'
import { opRefs } from '../../records/objects/publish/op-refs.ts'
import { createOpenEvaluations, presentCall, type EvaluationRequest, type OpenEvaluations } from './evaluation-request.ts'
import { findCalls, type EvaluationCallsQuery } from './find-calls.ts'
import { createNewCalls, type NewCalls } from './new-calls.ts'
import { isTrial } from './op-names.ts'
import { firstText, marksOf } from './stored-call.ts'

/** The subject of an id, as named in the error for an unknown one. */
export type Subject = 'Evaluation run' | 'Prediction' | 'Score'

/** Runs, predictions and scores of evaluations as calls. */
export interface EvaluationCalls {
  open: OpenEvaluations
  newCalls: NewCalls
  writer: CallsWriter
  deleteCalls: DeleteCalls
  /** A stored call. @throws ApiError 404 if there is none that the reader may see. */
  read(project: ProjectScope, id: string, subject: Subject): Promise<CallColumns>
  /** A stored call; undefined if there is none that the reader may see, and for a root's parent, `''`. */
  find(project: ProjectScope, id: string): Promise<CallColumns | undefined>
  /** Calls as they are stored, in pages, by start. */
  findAll(project: ProjectScope, wanted: EvaluationCallsQuery, payloads: ReadonlySet<PayloadColumn>): Promise<AsyncGenerator<CallColumns[]>>
  /** Calls as the caller may see them, by start. @throws ApiError 400 for a negative limit or offset */
  list(request: EvaluationRequest, wanted: EvaluationCallsQuery, payloads: ReadonlySet<PayloadColumn>): Promise<AsyncGenerator<CallColumns>>
  /** The run that a call names, or to which its trial belongs; null if there is neither. */
  runIdOf(project: ProjectScope, call: CallColumns): Promise<string | null>
  /** References to the latest versions of ops, in order; ops that are not there are created with a placeholder for their source. */
  opRefs(request: EvaluationRequest, names: readonly string[]): Promise<string[]>
}

interface EvaluationCallsOptions {
  store: CallsStore
  writer: CallsWriter
  deleteCalls: DeleteCalls
  ensureOps: EnsureOps
  mask: WriteContext['mask']
}

export function createEvaluationCalls({ refProjects }: Platform, options: EvaluationCallsOptions): EvaluationCalls {
  const { store, writer, deleteCalls, ensureOps, mask } = options

  const find: EvaluationCalls['find'] = async (project, id) => (id === '' ? undefined : store.readOne(project, id))
  const findAll: EvaluationCalls['findAll'] = (project, wanted, payloads) => findCalls(store, project, wanted, payloads)

  return {
    open: createOpenEvaluations(refProjects),
    newCalls: createNewCalls(mask),
    writer,
    deleteCalls,
    find,
    findAll,

    async read(project, id, subject) {
      const call = await find(project, id)
      if (call === undefined) throw notFound(`${subject} ${id} not found`)
      return call
    },

    async list(request, wanted, payloads) {
      const pages = await findAll(request.project, wanted, payloads)
      return (async function* () {
        for await (const page of pages) for (const call of page) yield await presentCall(request, call)
      })()
    },

    async runIdOf(project, call) {
      const named = firstText(marksOf(call)['evaluation_run_id'])
      if (named !== null) return named
      const parent = await find(project, call.parent_id)
      return parent !== undefined && isTrial(parent) && parent.parent_id !== '' ? parent.parent_id : null
    },

    opRefs: (request, names) => opRefs(ensureOps, request, names),
  }
}
