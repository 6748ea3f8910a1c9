import { useEffect, useRef, useState } from 'react'
import { useProject } from '../../../lib/use-project.ts'
import { explain } from '../../../ui/states/query-problem.tsx'
import { emptyAnswer } from '../../../features/playground/answer.ts'
import type { Run, VariantRequest } from './complete-variant.ts'

/** Runs the variants concurrently, each recorded as a call, and stops them on demand or when the page is left. */
export function useRuns() {
  const project = useProject()
  const [runs, setRuns] = useState<readonly (Run | undefined)[]>([])
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])

  const update = (at: number, change: Partial<Run>) =>
    setRuns((all) => all.map((run, place) => (place === at && run ? { ...run, ...change } : run)))

  async function run(at: number, request: VariantRequest, signal: AbortSignal) {
    const onChange = (change: Partial<Run>) => update(at, change)
    try {
      const { completeVariant } = await import('./complete-variant.ts')
      await completeVariant(project, request, { signal, onChange })
    } catch (error) {
      onChange({ isRunning: false, problem: explain(error), failure: error })
    }
  }

  return {
    runs,
    isRunning: runs.some((one) => one?.isRunning),
    async start(requests: readonly VariantRequest[]) {
      const { signal } = (controller.current = new AbortController())
      setRuns(requests.map(() => ({ answer: emptyAnswer, isRunning: true })))
      await Promise.all(requests.map((request, at) => run(at, request, signal)))
    },
    stop: () => controller.current?.abort(),
    /** Forgets the run of a variant that is removed. */
    remove: (at: number) => setRuns((all) => all.filter((_, place) => place !== at)),
  }
}
