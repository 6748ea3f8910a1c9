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

/** Undefined until two versions of the prompt are known to have a score in common, and without a prompt. */
export function usePromptScores(name: string | undefined, versions: readonly KnownVersion[]): PromptScores | undefined {
  const project = useProject()
  const [chosen, setChosen] = useState<string>()
  const runs = useQuery({ ...promptRunsQuery(project, name ?? '', versions), enabled: name !== undefined && versions.length > 1 })
  const { evaluation, shown } = useScoresOfCheckpoints(project, runs.data?.runs, undefined)
  const drawn = shown.find((one) => one.name === chosen) ?? shown[0]
  return evaluation === undefined || !drawn ? undefined : { evaluation, all: shown, drawn, onDraw: setChosen }
}
