import type { JsonObject } from '@heddle/core-api'
import type { EvaluationStatus } from '@heddle/core-api/types'
import { badRequest, isJsonObject, refScheme } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import type { Jobs } from '@heddle/jobs'
import type { EvaluationCalls } from '../../domain/evaluation-calls/evaluation-calls.ts'
import { evaluateOp } from '@heddle/trace-model'
import { evaluationIn, inputsOf, outputOf } from '../../domain/evaluation-calls/stored-call.ts'
import type { CallColumns } from '../../records/calls/calls-store.ts'
import { isTrialOp } from '../../records/calls/results/is-trial-op.ts'
import type { FindTables } from '../../records/refs/find-tables.ts'
import type { TablesStore } from '../../records/tables/tables-store.ts'

export interface EvaluationStatusDeps {
  calls: EvaluationCalls
  findTables: FindTables
  tables: Pick<TablesStore, 'find'>
  jobs: Pick<Jobs, 'get'>
}

/** The progress of a run, on the server or elsewhere. @throws ApiError 400 for a call that is not the run of an evaluation */
export type ReadEvaluationStatus = (project: ProjectScope, callId: string) => Promise<EvaluationStatus>

const noPayload: ReadonlySet<never> = new Set()

export function createReadEvaluationStatus({ calls, findTables, tables, jobs }: EvaluationStatusDeps): ReadEvaluationStatus {
  async function completedRows(project: ProjectScope, run: CallColumns): Promise<number> {
    let completed = 0
    for await (const page of await calls.findAll(project, { parent: run }, noPayload)) {
      completed += page.filter((call) => isTrialOp(call.op_short_name) && call.ended_at !== null).length
    }
    return completed
  }

  /** Rows of the dataset of a run; 0 if the dataset is not found. */
  async function datasetRows(project: ProjectScope, run: CallColumns): Promise<number> {
    const evaluation = evaluationIn(inputsOf(run))
    const start = `${refScheme}${project.id}/`
    if (evaluation === null || !evaluation.startsWith(start)) return 0
    const rowsPath = `${evaluation.slice(start.length)}/attr/dataset/attr/rows`
    const digest = (await findTables(project, [rowsPath])).get(rowsPath)
    return digest === undefined ? 0 : ((await tables.find(project, [digest])).get(digest)?.row_count ?? 0)
  }

  return async (project, callId) => {
    const run = await calls.find(project, callId)
    if (run === undefined) return (await failureOf(project, callId)) ?? { code: 'not_found' }
    if (!run.op_name.includes(evaluateOp)) throw badRequest('Call is not an evaluation')
    if (run.exception !== null) return { code: 'failed', error: run.exception }
    if (run.ended_at !== null) return { code: 'complete', output: toObject(outputOf(run)) }
    const failed = await failureOf(project, callId)
    if (failed !== undefined) return failed
    const completed_rows = await completedRows(project, run)
    return { code: 'running', completed_rows, total_rows: Math.max(await datasetRows(project, run), completed_rows) }
  }

  /** Why a run on the server failed whose call has no end: its job has the reason. Undefined if the job did not fail. */
  async function failureOf(project: ProjectScope, id: string): Promise<EvaluationStatus | undefined> {
    const job = await jobs.get(project, id)
    return job?.state === 'failed' || job?.state === 'cancelled' ? { code: 'failed', error: job.error ?? job.state } : undefined
  }
}

function toObject(output: unknown): JsonObject {
  if (output === null) return {}
  return isJsonObject(output) ? output : { output }
}
