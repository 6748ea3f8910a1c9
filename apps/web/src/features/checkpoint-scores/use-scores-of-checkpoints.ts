import type { EvalSummary } from '@heddle/core-api/types'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ProjectName } from '../../lib/use-project.ts'
import { summariesQuery } from '../evaluations/evaluation-queries.ts'
import { evaluationsQuery } from './checkpoint-queries.ts'
import { type CheckpointRun, type CheckpointScore, type ScoresOfEvaluation, scoresOfCheckpoints } from './checkpoint-runs.ts'

/** The scores of the checkpoints of a model, as far as they are read. */
export interface CheckpointScoresState {
  summaries: ReadonlyMap<string, EvalSummary> | undefined
  error: Error | null
  refetch: () => void
  evaluations: readonly ScoresOfEvaluation[]
  /** Name of the evaluation whose scores are shown; undefined where none has any. */
  evaluation: string | undefined
  shown: readonly CheckpointScore[]
}

const noRuns: readonly CheckpointRun[] = []
const noScores: readonly CheckpointScore[] = []

/** @param chosen name of the evaluation to show; default: the first that has scores of several checkpoints */
export function useScoresOfCheckpoints(
  project: ProjectName,
  runs: readonly CheckpointRun[] = noRuns,
  chosen: string | undefined,
): CheckpointScoresState {
  const query = useQuery({
    ...summariesQuery(
      project,
      runs.map(({ id }) => id),
    ),
    enabled: runs.length > 0,
  })
  const known = useQuery({ ...evaluationsQuery(project), enabled: runs.length > 0 }).data?.evaluations
  const evaluations = useMemo(() => {
    const singles = new Set(known?.flatMap(({ name, isSingle }) => (isSingle ? [name] : [])))
    return query.data ? scoresOfCheckpoints(runs, query.data, singles) : []
  }, [runs, query.data, known])
  const found = evaluations.find(({ evaluation }) => evaluation === chosen) ?? evaluations[0]
  return {
    summaries: query.data,
    error: query.error,
    refetch: () => void query.refetch(),
    evaluations,
    evaluation: found?.evaluation,
    shown: found?.series ?? noScores,
  }
}
