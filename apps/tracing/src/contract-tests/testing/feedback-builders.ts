import type { TestClient } from '../../testing/start-test-app.ts'

export type FeedbackInput = Parameters<TestClient['feedback']['create']>[0]

/** Feedback of a type of its own on a call, with nothing in it but what the test names. */
export function aFeedback(over: Partial<FeedbackInput> & { project_id: string }): FeedbackInput {
  return { weave_ref: callRef(over.project_id, 'c'), feedback_type: 'quality', payload: {}, ...over }
}

/** Ref of a call. */
export const callRef = (project_id: string, id: string) => `weave:///${project_id}/call/${id}`

/** Condition of a query. */
export const equals = (field: string, value: unknown) => ({ $expr: { $eq: [{ $getField: field }, { $literal: value }] } })
