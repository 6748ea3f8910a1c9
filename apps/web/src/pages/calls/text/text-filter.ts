import type { Condition } from '../call-condition.ts'
import { conditionText, type Filter } from '../filter/parse-filter.ts'

/** A longer text is not what a person looks for. */
export const maxTextLength = 500

/** Where names of calls stand: that of a span is what it was sent with, which its op does not keep. */
const names = ['display_name', 'op_name', 'attributes.otel_span.name'] as const
const payloads = ['inputs', 'output'] as const
const errors = ['exception'] as const

/** What a search looks through, as the page says it. */
export const searchedParts = 'inputs, outputs, names and errors'

/** Selects calls that hold a text somewhere, whatever the case of its letters. In a payload it may stand as JSON writes it. */
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

/** A filter as it is typed, that also asks for a text. */
export function filterWithText(filter: string | undefined, text: string | undefined): string | undefined {
  if (text === undefined) return filter
  const parts = filter === undefined ? [] : [`(${filter})`]
  return [...parts, `(${eitherOf(textFilter(text))})`].join(' and ')
}

const eitherOf = (filter: Filter): string =>
  'or' in filter ? filter.or.map(eitherOf).join(' or ') : 'condition' in filter ? conditionText(filter.condition) : ''
