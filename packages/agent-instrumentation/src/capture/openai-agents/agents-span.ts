import type { JsonObject } from '@heddle/core-api'

/** A span of the OpenAI Agents SDK, as far as it is read here. Its types are wider, so that this package needs none of it. */
export interface AgentsSpan {
  spanId: string
  parentId: string | null
  spanData: { type: string }
  error: { message: string } | null
}

/** What a span is about, with the fields of any kind. */
export function dataOf({ spanData }: AgentsSpan): JsonObject {
  return spanData as unknown as JsonObject
}
