import type { EvalSummary } from '@heddle/core-api/types'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ProjectName, useProject } from '../../lib/use-project.ts'
import { readRunsOnSteps } from '../../features/checkpoint-scores/checkpoint-queries.ts'
import type { CheckpointScore } from '../../features/checkpoint-scores/checkpoint-runs.ts'
import { useScoresOfCheckpoints } from '../../features/checkpoint-scores/use-scores-of-checkpoints.ts'
import type { ObjectVersion } from '../../features/library/library-queries.ts'
import { versionOfPrompt } from './version-of-prompt.ts'

/** The scores of the versions of a prompt. The step of a run is the index of the version. */
export interface PromptScores {
  /** Name of the evaluation that found them. */
  evaluation: string
  all: readonly CheckpointScore[]
  drawn: CheckpointScore
  /** By the id of the run. */
  summaries: ReadonlyMap<string, EvalSummary>
  onDraw: (name: string) => void
}

type KnownVersion = Pick<ObjectVersion, 'digest' | 'version_index'>

/** The runs of models that are built with one of these versions of a prompt, among the newest evaluation runs of the project. */
const promptRunsQuery = (project: ProjectName, name: string, versions: readonly KnownVersion[]) =>
  queryOptions({
    queryKey: ['prompt-runs', project.id, name, versions.map(({ digest }) => digest)],
    queryFn: ({ signal }) => {
      const indexes = new Map(
        versions.flatMap((one) => [[one.digest, one.version_index] as const, [`v${one.version_index}`, one.version_index] as const]),
      )
      return readRunsOnSteps(project, (model) => indexes.get(versionOfPrompt(model, project, name) ?? ''), signal)
    },
    staleTime: 30_000,
  })

/** What is known of the scores of a prompt. */
export interface PromptScoresState {
  isPending: boolean
  error: Error | null
  /** Undefined where no two versions have a score in common. */
  scores: PromptScores | undefined
}

/** Undefined without a prompt, and for one that has a single version. */
export function usePromptScores(name: string | undefined, versions: readonly KnownVersion[]): PromptScoresState | undefined {
  const project = useProject()
  const [chosen, setChosen] = useState<string>()
  const enabled = name !== undefined && versions.length > 1
  const runs = useQuery({ ...promptRunsQuery(project, name ?? '', versions), enabled })
  const { evaluation, shown, summaries, error } = useScoresOfCheckpoints(project, runs.data?.runs, undefined)
  if (!enabled) return undefined
  const drawn = shown.find((one) => one.name === chosen) ?? shown[0]
  const isPending = runs.isPending || (runs.data !== undefined && runs.data.runs.length > 0 && summaries === undefined && error === null)
  return {
    isPending,
    error: runs.error ?? error,
    scores:
      evaluation === undefined || !drawn
        ? undefined
        : { evaluation, all: shown, drawn, summaries: summaries ?? new Map(), onDraw: setChosen },
  }
}
