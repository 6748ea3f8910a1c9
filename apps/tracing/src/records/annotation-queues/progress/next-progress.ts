import type { AnnotationState } from '@heddle/core-api/types'
import { badRequest } from '@heddle/core-api/internal'
import type { SetState } from './annotation-progress-store.ts'

const setStates = ['completed', 'in_progress', 'skipped'] as const satisfies readonly SetState[]

/** The state that an annotator requests. @throws 400 for another text */
export function readSetState(text: string): SetState {
  const state = setStates.find((each) => each === text)
  if (state === undefined) throw badRequest(`Invalid annotation_state '${text.slice(0, 100)}'. Must be one of: ${setStates.join(', ')}`)
  return state
}

/**
 * True where an annotator's own state, undefined without any, becomes another one; false where it is the same already.
 * @throws 400 for a step that is not allowed: nothing leads out of `completed` and `skipped`, and only the first step leads to `in_progress`
 */
export function isStep(own: AnnotationState | undefined, to: SetState): boolean {
  if (own === to) return false
  if (own === undefined) return true
  if (to === 'in_progress') throw badRequest(`Cannot transition to 'in_progress' when a record already exists (current state: '${own}')`)
  if (own === 'unstarted' || own === 'in_progress') return true
  throw badRequest(`Invalid state transition from '${own}' to '${to}'. Only transitions from 'in_progress' or 'unstarted' are allowed.`)
}

/** True for an own state that reopening leads out of. */
export function isReview(own: AnnotationState | undefined): boolean {
  return own === 'completed' || own === 'skipped'
}
