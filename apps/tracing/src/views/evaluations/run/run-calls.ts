import type { JsonObject } from '@heddle/core-api'
import type { CallRow, Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { evaluateOp } from '@heddle/trace-model'
import { type CallScope, rootScope, summaryOf } from '../../../domain/scoring/call-scope.ts'
import { derivedId } from '../../../domain/scoring/derived-id.ts'
import type { CallsStore } from '../../../records/calls/calls-store.ts'
import { type CallChange, type CallStart, completeChange, endChange, startChange } from '../../../records/calls/write/call-change.ts'
import type { CallsWriter } from '../../../records/calls/write/calls-writer.ts'

/** One execution of an evaluation on a model. */
export interface EvaluationRun {
  /** Id of its call and of its job. */
  id: string
  project: ProjectScope
  evaluationRef: string
  modelRef: string
  userId: string
}

/** The call of a run, and those below it. */
export interface RunCalls {
  /** The call of the run; undefined before it was started. */
  find(): Promise<CallRow | undefined>
  /** The calls of the run that are already stored, by id. */
  findWritten(ids: readonly string[]): Promise<ReadonlyMap<string, CallRow>>
  /** Id of a call below the run; the same for the same path of names in every attempt. */
  idOf(path: string): string
  /** A scope for calls below the run, which are written together by `write` or `complete`. */
  newScope(): CallScope
  start(about: { opRef: string; displayName: string | null }): Promise<void>
  /** Writes the calls of a scope: all or none. */
  write(scope: CallScope): Promise<void>
  /** Ends the call of the run, and writes the calls of the scope with it. `total` counts the whole run. */
  complete(scope: CallScope, ended: { output: JsonObject; total: Pick<CallScope, 'usage' | 'counts'> }): Promise<void>
  /** Ends the call of a run that cannot be completed, so that its status has the reason. A call that was not started is written in full. */
  fail(error: Error): Promise<void>
}

interface RunCallsDeps {
  calls: Pick<CallsStore, 'findLatest'>
  writer: CallsWriter
  clock: () => Micros
}

const rootName = 'run'
/** Marks calls of evaluations that a server ran. */
const serverMark: JsonObject = { _weave_eval_meta: { evaluate_model_worker: true } }

export function createRunCalls(run: EvaluationRun, { calls, writer, clock }: RunCallsDeps): RunCalls {
  const { id, project, userId } = run
  const writeAll = (changes: readonly CallChange[]) => writer.write([{ project, changes }])
  const find = async () => (await calls.findLatest(project, [id]))[0]

  return {
    find,
    findWritten: async (ids) => new Map((await calls.findLatest(project, ids)).map((row) => [row.id, row])),
    idOf: (path) => derivedId(id, `${rootName}/${path}`),
    newScope() {
      const idOf = (name: string) => derivedId(id, name)
      return rootScope(
        { projectId: project.id, traceId: id, userId, attributes: serverMark, clock, idOf, calls: [] },
        { id, name: rootName },
      )
    },
    start: (about) => writeAll([startChange(id, startOf(run, { ...about, startedAt: clock() }))]),
    write: ({ recording }) => writeAll(recording.calls),
    complete: ({ recording }, { output, total }) =>
      writeAll([...recording.calls, endChange(id, { ended_at: clock(), output, summary: summaryOf(total) })]),
    async fail(error) {
      const end = { ended_at: clock(), exception: `${error.name}: ${error.message}`, output: null, summary: {} }
      const start = startOf(run, { opRef: evaluateOp, displayName: null, startedAt: end.ended_at })
      await writeAll([(await find()) === undefined ? completeChange(id, start, end) : endChange(id, end)])
    },
  }
}

interface RunStart {
  opRef: string
  displayName: string | null
  startedAt: Micros
}

function startOf({ id, evaluationRef, modelRef, userId }: EvaluationRun, { opRef, displayName, startedAt }: RunStart): CallStart {
  return {
    trace_id: id,
    op_name: opRef,
    display_name: displayName,
    started_at: startedAt,
    attributes: serverMark,
    inputs: { self: evaluationRef, model: modelRef },
    otel: null,
    wb_user_id: userId,
  }
}
