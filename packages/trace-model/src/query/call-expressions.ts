import type { QueryOperation } from '@heddle/core-api'
import { contains, equals } from './expressions.ts'

/** Where a call has an attribute: tracing clients write their own, and those of a span are below the span that it was. */
export function attributePaths(name: string): string[] {
  return [name, `otel_span.attributes.${name}`]
}

/** Calls of an op or span by its name: an op has a versioned reference, a plain name, or the name of its span. */
export function isNamedOp(name: string): QueryOperation {
  const fields = ['op_name', 'display_name', 'summary.weave.trace_name', 'attributes.otel_span.name']
  const reference = contains('op_name', `/op/${encodeURIComponent(name)}:`, { exactCase: true })
  return { $or: [...fields.map((one) => equals(one, name)), reference] }
}
