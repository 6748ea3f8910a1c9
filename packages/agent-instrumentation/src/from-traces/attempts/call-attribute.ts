import type { Call } from '@heddle/core-api/types'
import { valueAt } from '@heddle/core-api/internal'
import { attributePaths } from '@heddle/trace-model/query'

/** An attribute of a call, or of the span that it was. */
export function attributeOf({ attributes }: Pick<Call, 'attributes'>, name: string): unknown {
  for (const path of attributePaths(name)) {
    const value = valueAt(attributes, path)
    if (value !== undefined) return value
  }
  return undefined
}
