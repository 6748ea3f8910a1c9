import { isApiError } from '@heddle/core-api'

/** Whether the key may not read this. */
export const isForbidden = (error: unknown) => isApiError(error) && error.status === 403

/** An answer; null where the key may not read it. */
export const nullIfForbidden = <Answer>(answer: Promise<Answer>): Promise<Answer | null> =>
  answer.catch((error: unknown) => {
    if (isForbidden(error)) return null
    throw error
  })
