import type { ApiError } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'

/** 400: the operator does not accept this kind of operand. `wayOut` suggests an alternative. */
export function refuseOperand(operand: string, operator: string, wayOut: string): ApiError {
  return badRequest(`${operand} cannot be used with ${operator}: ${wayOut}`)
}
