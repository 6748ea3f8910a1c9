import {
  type CollectedGroups,
  gatherGroups,
  type GatherProgress,
  planTraining,
  type TrainingPlan,
} from '@heddle/agent-instrumentation/from-traces'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { newId } from '../../lib/new-id.ts'
import type { StartSearch } from './start-search.ts'
import { toGatherOptions, toTrainingConfig } from './to-gather-options.ts'

/** The training data of a job, and the settings for which it was read. */
export interface Preflight {
  settings: StartSearch
  plan: TrainingPlan
  collected: CollectedGroups
  /** Idempotency key of the job: a repeated request does not start a second one. */
  key: string
}

/** Reads attempts from traces with the given options, and stops when the page is left. */
export function usePreflight(project: string) {
  const [progress, setProgress] = useState<GatherProgress>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const check = useMutation({
    // The trajectories of a job are not kept for another page.
    gcTime: 0,
    async mutationFn({ settings, maxTokens }: { settings: StartSearch; maxTokens: number | undefined }): Promise<Preflight> {
      toTrainingConfig(settings)
      const options = { ...toGatherOptions(settings), maxTokens, onProgress: setProgress }
      const { signal } = (running.current = new AbortController())
      const collected = await gatherGroups({ client, project, signal }, options)
      return { settings, plan: planTraining(collected, { maxTokens }), collected, key: newId() }
    },
    onSettled: () => setProgress(undefined),
  })
  function stop() {
    running.current?.abort()
    check.reset()
    setProgress(undefined)
  }
  return { check, progress, stop }
}
