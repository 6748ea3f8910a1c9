import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type CompletionPart, type CompletionTimes, createCompletionDeadlines } from './completion-deadlines.ts'

const times: CompletionTimes = { loadingMs: 60_000, stallMs: 120_000, totalMs: 3_600_000 }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start() {
  const request = new AbortController()
  const deadlines = createCompletionDeadlines(times, request.signal)
  const failure = () => (deadlines.signal.aborted ? (deadlines.signal.reason as Error).message : null)
  return { request, deadlines, failure }
}

test('a prompt that gets on may take longer than weights may take to load, and than one pause may be', () => {
  const { deadlines, failure } = start()
  deadlines.reached('loading')
  vi.advanceTimersByTime(59_999)
  for (let minute = 0; minute < 20; minute += 1) {
    deadlines.reached('prompt')
    vi.advanceTimersByTime(60_000)
  }
  expect(failure()).toBeNull()
  vi.advanceTimersByTime(60_000)
  expect(failure()).toBe('the prompt got no further within 120 s, which HEDDLE_CHAT_STALL_SECONDS sets; try again')
})

test('saying that weights load does not give them more time', () => {
  const { deadlines, failure } = start()
  for (let second = 0; second < 60; second += 1) {
    deadlines.reached('loading')
    vi.advanceTimersByTime(1_000)
  }
  expect(failure()).toBe('the model did not load within 60 s, which HEDDLE_CHAT_LOADING_SECONDS sets; try again')
})

test.each<CompletionPart>(['queued', 'loading', 'waiting', 'prompt', 'tokens', 'remote'])(
  'a completion that is %s to the end has its total time and no more',
  (part) => {
    const { deadlines, failure } = start()
    for (let minute = 0; minute < 60; minute += 1) {
      expect(failure()).toBeNull()
      deadlines.reached('queued')
      deadlines.reached(part)
      vi.advanceTimersByTime(60_000 - (part === 'loading' ? 1 : 0))
    }
    deadlines.reached('queued')
    vi.advanceTimersByTime(60)
    expect(failure()).toBe('the completion did not end within 3600 s, which HEDDLE_CHAT_TOTAL_SECONDS sets; try again')
  },
)

test('no limit outlives the completion or its request', () => {
  const ended = start()
  ended.deadlines.reached('prompt')
  ended.deadlines.end()
  expect(vi.getTimerCount()).toBe(0)
  const left = start()
  left.deadlines.reached('loading')
  left.request.abort(new Error('the client is gone'))
  expect(vi.getTimerCount()).toBe(0)
  expect(left.failure()).toBe('the client is gone')
})
