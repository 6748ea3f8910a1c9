import type { ApiError } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'

/** 400: the operator does not take this kind of operand. `wayOut` says what to write instead. */
export function refuseOperand(operand: string, operator: string, wayOut: string): ApiError {
  return badRequest(`${operand} cannot be used with ${operator}: ${wayOut}`)
}
