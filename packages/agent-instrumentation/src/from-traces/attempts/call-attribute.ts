import type { Call } from '@heddle/core-api'
import { valueAt } from './values.ts'

/** Where a call keeps an attribute: client libraries write their own, and those of a span are below the span that it was. */
export function attributePaths(name: string): string[] {
  return [name, `otel_span.attributes.${name}`]
}

/** An attribute of a call, or of the span that it was. */
export function attributeOf({ attributes }: Pick<Call, 'attributes'>, name: string): unknown {
  for (const path of attributePaths(name)) {
    const value = valueAt(attributes, path)
    if (value !== undefined) return value
  }
  return undefined
}
