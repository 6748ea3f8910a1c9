import type { JobHandler } from '@heddle/jobs'
import type { EvaluationCalls } from '../../evaluation-calls/evaluation-calls.ts'
import { evaluateOp, predictAndScoreOp, summarizeOp } from '../../evaluation-calls/op-names.ts'
import { collectionHandlers, type CollectionDeps } from '../../object-collection/collection-handlers.ts'
import { objectRef } from '../../payload/object-ref.ts'
import type { Platform } from '../../platform.ts'
import type { ModelProviders } from '../../providers/model-providers.ts'
import type { Scoring } from '../../scoring/scoring.ts'
import type { CallsStore } from '../calls/calls-store.ts'
import type { CallsWriter } from '../calls/write/calls-writer.ts'
import type { EnsureOps } from '../objects/publish/ensure-ops.ts'
import type { FindTables } from '../refs/find-tables.ts'
import type { TableRowsStore } from '../tables/table-rows-store.ts'
import type { TablesStore } from '../tables/tables-store.ts'
import { evaluationJobsHandlers, runEvaluationKind } from './evaluation-jobs-handlers.ts'
import { evaluationsCollection } from './evaluations-collection.ts'
import { createDatasetRows } from './run/dataset-rows.ts'
import type { EvaluationOps } from './run/evaluate-row.ts'
import { loadEvaluation } from './run/load-evaluation.ts'
import { createRunEvaluation } from './run/run-evaluation.ts'

interface EvaluationsOn {
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
export function createEvaluations(platform: Platform & CollectionDeps, on: EvaluationsOn) {
  const { jobs, clock } = platform
  const { ensureOps, store, writer, tables, rows, findTables, evaluationCalls, scoring, providers } = on
  const runs: Record<string, JobHandler> = {
    [runEvaluationKind]: createRunEvaluation({
      load: (project, refs) => loadEvaluation(project, refs, scoring),
      async opsFor(project, { scorers }, userId): Promise<EvaluationOps> {
        const named = [evaluateOp, predictAndScoreOp, summarizeOp, scoring.predictOp]
        const ofScorers = scorers.flatMap(({ className }) => [`${className}.score`, `${className}.summarize`])
        const digests = await ensureOps(project, [...named, ...ofScorers], userId)
        const refTo = (object_id: string) => objectRef(project, { kind: 'op', object_id, digest: digests.get(object_id) ?? '' })
        return {
          evaluate: refTo(evaluateOp),
          predictAndScore: refTo(predictAndScoreOp),
          predict: refTo(scoring.predictOp),
          summarize: refTo(summarizeOp),
          score: ({ className }) => refTo(`${className}.score`),
          summarizeScorer: ({ className }) => refTo(`${className}.summarize`),
        }
      },
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
    jobKinds: runs,
  }
}
