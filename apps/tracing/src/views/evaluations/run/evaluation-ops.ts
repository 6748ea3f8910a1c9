import type { ProjectScope } from '@heddle/identity'
import { evaluateOp } from '@heddle/trace-model'
import { predictAndScoreOp, summarizeOp } from '../../../domain/evaluation-calls/op-names.ts'
import { objectRef } from '../../../payload/object-ref.ts'
import type { RunnableScorer } from '../../../domain/scoring/runnable-scorer.ts'
import type { EnsureOps } from '../../../records/objects/publish/ensure-ops.ts'
import type { RunnableEvaluation } from './load-evaluation.ts'

/** References to the ops of the calls of a run. */
export interface EvaluationOps {
  evaluate: string
  predictAndScore: string
  predict: string
  summarize: string
  score: (scorer: RunnableScorer) => string
  summarizeScorer: (scorer: RunnableScorer) => string
}

/** Finds the ops of a run, and publishes those that the project lacks. */
export type FindEvaluationOps = (project: ProjectScope, evaluation: RunnableEvaluation, userId: string) => Promise<EvaluationOps>

const scoreOp = ({ className }: RunnableScorer) => `${className}.score`
const summarizeScorerOp = ({ className }: RunnableScorer) => `${className}.summarize`

export function createFindEvaluationOps({ ensureOps, predictOp }: { ensureOps: EnsureOps; predictOp: string }): FindEvaluationOps {
  return async (project, { scorers }, userId) => {
    const ofScorers = scorers.flatMap((scorer) => [scoreOp(scorer), summarizeScorerOp(scorer)])
    const digests = await ensureOps(project, [evaluateOp, predictAndScoreOp, summarizeOp, predictOp, ...ofScorers], userId)
    const refTo = (object_id: string) => objectRef(project, { kind: 'op', object_id, digest: digests.get(object_id) ?? '' })
    return {
      evaluate: refTo(evaluateOp),
      predictAndScore: refTo(predictAndScoreOp),
      predict: refTo(predictOp),
      summarize: refTo(summarizeOp),
      score: (scorer) => refTo(scoreOp(scorer)),
      summarizeScorer: (scorer) => refTo(summarizeScorerOp(scorer)),
    }
  }
}
