import type { ApiError } from '@heddle/core-api'
import { unavailable } from '@heddle/core-api/internal'
import type { GenerationProgress } from '../../../engine/engine.ts'

/** How long the parts of a chat completion may take, in milliseconds. */
export interface CompletionTimes {
  /** Until the weights are there: files of a checkpoint are fetched, and the engine reads them. */
  loadingMs: number
  /** Without any progress of a model that is loaded, be it on the prompt or on the completion. */
  stallMs: number
  /** From the request to its last token, its wait for a turn included. */
  totalMs: number
}

export const defaultCompletionTimes: CompletionTimes = { loadingMs: 60_000, stallMs: 120_000, totalMs: 3_600_000 }

/** The settings of a server that change them. */
const settingOf = {
  loadingMs: 'HEDDLE_CHAT_LOADING_SECONDS',
  stallMs: 'HEDDLE_CHAT_STALL_SECONDS',
  totalMs: 'HEDDLE_CHAT_TOTAL_SECONDS',
} as const

/** The state of a completion: each part has its own limit. */
export type CompletionPart = 'queued' | 'loading' | GenerationProgress['part']

/** The time limits of one completion. */
export interface CompletionDeadlines {
  /** Aborts with the request, or with an ApiError 503 that names the limit and its setting. */
  readonly signal: AbortSignal
  /** The completion has reached this part. Repeating the same part reports progress. */
  reached(part: CompletionPart): void
  /** Ends all limits. */
  end(): void
}

const retryAfterSeconds = 30

/** Limits of a completion that begins now. */
export function createCompletionDeadlines(times: CompletionTimes, request: AbortSignal): CompletionDeadlines {
  const late = new AbortController()
  const abort = (limit: keyof CompletionTimes, what: string) => late.abort(exceeded(limit, times, what))
  const total = setTimeout(() => abort('totalMs', 'the completion did not end'), times.totalMs)
  let current: CompletionPart = 'queued'
  let timer: NodeJS.Timeout | undefined
  const end = () => {
    clearTimeout(timer)
    clearTimeout(total)
    request.removeEventListener('abort', end)
  }
  request.addEventListener('abort', end)
  return {
    signal: AbortSignal.any([request, late.signal]),
    reached(part) {
      if (part === 'loading' && current === part) return
      clearTimeout(timer)
      current = part
      if (part === 'loading') timer = setTimeout(() => abort('loadingMs', 'the model did not load'), times.loadingMs)
      if (part === 'waiting' || part === 'prompt' || part === 'tokens') {
        timer = setTimeout(() => abort('stallMs', stalledWhile[part]), times.stallMs)
      }
    },
    end,
  }
}

const stalledWhile = {
  waiting: 'the engine of models sampled nothing',
  prompt: 'the prompt got no further',
  tokens: 'no further token was sampled',
}

function exceeded(limit: keyof CompletionTimes, times: CompletionTimes, what: string): ApiError {
  const seconds = Math.round(times[limit] / 1_000)
  return unavailable(`${what} within ${seconds} s, which ${settingOf[limit]} sets; try again`, retryAfterSeconds)
}
