import type { JobHandler } from '@heddle/jobs'
import type { EvaluationCalls } from '../../domain/evaluation-calls/evaluation-calls.ts'
import { collectionHandlers, type CollectionDeps } from '../../domain/object-collection/collection-handlers.ts'
import type { Platform } from '../../platform.ts'
import type { ModelProviders } from '../../providers/model-providers.ts'
import type { Scoring } from '../../domain/scoring/scoring.ts'
import type { CallsStore } from '../../records/calls/calls-store.ts'
import type { CallsWriter } from '../../records/calls/write/calls-writer.ts'
import type { EnsureOps } from '../../records/objects/publish/ensure-ops.ts'
import type { FindTables } from '../../records/refs/find-tables.ts'
import type { TableRowsStore } from '../../records/tables/table-rows-store.ts'
import type { TablesStore } from '../../records/tables/tables-store.ts'
import { evaluationJobsHandlers, runEvaluationKind } from './evaluation-jobs-handlers.ts'
import { evaluationsCollection } from './evaluations-collection.ts'
import { createDatasetRows } from './run/dataset-rows.ts'
import { createFindEvaluationOps } from './run/evaluation-ops.ts'
import { loadEvaluation } from './run/load-evaluation.ts'
import { createRunEvaluation } from './run/run-evaluation.ts'

interface EvaluationsOptions {
  ensureOps: EnsureOps
  store: CallsStore
  writer: CallsWriter
  tables: TablesStore
  rows: TableRowsStore
  findTables: FindTables
  evaluationCalls: EvaluationCalls
  scoring: Scoring
  providers: ModelProviders
}

/** Definitions of evaluations, as a view over objects, and the jobs that run them. */
export function createEvaluations(platform: Platform & CollectionDeps, options: EvaluationsOptions) {
  const { jobs, clock } = platform
  const { ensureOps, store, writer, tables, rows, findTables, evaluationCalls, scoring, providers } = options
  const jobKinds: Record<string, JobHandler> = {
    [runEvaluationKind]: createRunEvaluation({
      load: (project, refs) => loadEvaluation(project, refs, scoring),
      findOps: createFindEvaluationOps({ ensureOps, predictOp: scoring.predictOp }),
      predictFor: ({ predict }) => scoring.predictAs(predict),
      storeScores: scoring.storeScores,
      rows: createDatasetRows({ tables, rows }),
      calls: store,
      writer,
      clock,
    }),
  }
  return {
    handlers: {
      ...collectionHandlers(platform, evaluationsCollection({ ensureOps })),
      ...evaluationJobsHandlers({ calls: evaluationCalls, findTables, tables, jobs, providers }),
    },
    jobKinds,
  }
}
