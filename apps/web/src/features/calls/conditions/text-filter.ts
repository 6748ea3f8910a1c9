import type { Condition } from '../../filter/call-condition.ts'
import { conditionText, type Filter } from '../../filter/parse-filter.ts'

/** Longer texts are not plausible search terms. */
export const maxTextLength = 500

/** Where names of calls are found: the original name of a span is not kept in its op. */
const names = ['display_name', 'op_name', 'attributes.otel_span.name'] as const
const payloads = ['inputs', 'output'] as const
const errors = ['exception'] as const

/** The searched parts, as shown on the page. */
export const searchedParts = 'inputs, outputs, names and errors'

/** Selects calls that contain a text, case-insensitively. In a payload it may be escaped as in JSON. */
export function textFilter(text: string): Filter {
  const inJson = JSON.stringify(text).slice(1, -1)
  const contains = (path: string, value: string): Filter => ({ condition: { path, operator: 'contains', value } satisfies Condition })
  return {
    or: [
      ...[...names, ...payloads, ...errors].map((path) => contains(path, text)),
      ...(inJson === text ? [] : payloads.map((path) => contains(path, inJson))),
    ],
  }
}

/** A typed filter, combined with a text search. */
export function filterWithText(filter: string | undefined, text: string | undefined): string | undefined {
  if (text === undefined) return filter
  const parts = filter === undefined ? [] : [`(${filter})`]
  return [...parts, `(${eitherOf(textFilter(text))})`].join(' and ')
}

const eitherOf = (filter: Filter): string =>
  'or' in filter ? filter.or.map(eitherOf).join(' or ') : 'condition' in filter ? conditionText(filter.condition) : ''
