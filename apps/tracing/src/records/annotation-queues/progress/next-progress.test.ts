import { isApiError } from '@heddle/core-api'
import type { AnnotationState } from '@heddle/core-api/types'
import { describe, expect, test } from 'vitest'
import type { SetState } from './annotation-progress-store.ts'
import { isStep, readSetState } from './next-progress.ts'

type Outcome = 'step' | 'same' | 400

describe('a step of an annotator', () => {
  test.each<[AnnotationState | undefined, Record<SetState, Outcome>]>([
    [undefined, { in_progress: 'step', completed: 'step', skipped: 'step' }],
    ['unstarted', { in_progress: 400, completed: 'step', skipped: 'step' }],
    ['in_progress', { in_progress: 'same', completed: 'step', skipped: 'step' }],
    ['completed', { in_progress: 400, completed: 'same', skipped: 400 }],
    ['skipped', { in_progress: 400, completed: 400, skipped: 'same' }],
  ])('from %s', (own, outcomes) => {
    for (const to of ['in_progress', 'completed', 'skipped'] as const) expect([to, outcomeOf(own, to)]).toEqual([to, outcomes[to]])
  })

  test('says why it is not allowed', () => {
    expect(() => isStep('completed', 'in_progress')).toThrow(
      "Cannot transition to 'in_progress' when a record already exists (current state: 'completed')",
    )
    expect(() => isStep('completed', 'skipped')).toThrow(
      "Invalid state transition from 'completed' to 'skipped'. Only transitions from 'in_progress' or 'unstarted' are allowed.",
    )
  })
})

test.each(['unstarted', '', 'COMPLETED', 'done', '__proto__'])('%j is not a state to set', (text) => {
  expect(() => readSetState(text)).toThrow(`Invalid annotation_state '${text}'. Must be one of: completed, in_progress, skipped`)
})

function outcomeOf(own: AnnotationState | undefined, to: SetState): Outcome {
  try {
    return isStep(own, to) ? 'step' : 'same'
  } catch (error) {
    if (isApiError(error) && error.status === 400) return 400
    throw error
  }
}
