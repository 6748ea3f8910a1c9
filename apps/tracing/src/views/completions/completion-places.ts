import { tooManyRequests } from '@heddle/core-api/internal'

/** Completions under way at a time. */
export interface CompletionLimits {
  ofProject: number
  total: number
}

export const defaultCompletionLimits: CompletionLimits = { ofProject: 8, total: 32 }

/** Takes a slot for one completion of a project, and returns a function that releases it. @throws 429 if there is none */
export type TakePlace = (projectId: string) => () => void

const retryAfterSeconds = 5

export function createCompletionPlaces({ ofProject, total }: CompletionLimits): TakePlace {
  const taken = new Map<string, number>()
  let all = 0
  return (projectId) => {
    const before = taken.get(projectId) ?? 0
    if (before >= ofProject)
      throw tooManyRequests(`${ofProject} completions of this project are under way, the most at a time; wait for one`, retryAfterSeconds)
    if (all >= total) throw tooManyRequests(`${total} completions are under way, the most at a time; wait for one`, retryAfterSeconds)
    all++
    taken.set(projectId, before + 1)
    return () => {
      all--
      const left = (taken.get(projectId) ?? 1) - 1
      if (left === 0) taken.delete(projectId)
      else taken.set(projectId, left)
    }
  }
}
