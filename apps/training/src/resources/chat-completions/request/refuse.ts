import { type ApiError } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'

/** 400 for a field of a request, which is named outside the message as well. */
export function refuse(field: string, reason: string): ApiError {
  return badRequest(`${field} ${reason}`, { param: field })
}
