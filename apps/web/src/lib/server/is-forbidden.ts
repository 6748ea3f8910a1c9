import { isApiError } from '@heddle/core-api'

/** Whether a request failed because the key may not make it. */
export const isForbidden = (error: unknown) => isApiError(error) && error.status === 403

/** The answer, or null if the key may not read it. */
export const nullIfForbidden = <Answer>(answer: Promise<Answer>): Promise<Answer | null> =>
  answer.catch((error: unknown) => {
    if (isForbidden(error)) return null
    throw error
  })
