import { callKindOf, displayNameOf, formatTimestamp, type TraceCall } from '@heddle/core-api'
import { callKindPaths } from '@heddle/core-api/internal'
import type { CallNode } from '../../../query/calls-query.ts'

const spanName = 'attributes.otel_span.name'

/** Where an attribute may stand: as a member with dots in its name, which wins, or at its path. */
const namesOf = (path: string) => (path.includes('.') ? [path.replaceAll('.', '\\.'), path] : [path])

/** What is read of the payloads of a call to show it in its trace. */
export const traceTexts: readonly string[] = [spanName, ...callKindPaths.flatMap(namesOf).map((name) => `attributes.${name}`)]

/** The attributes that say the kind of a call, by the place of each in `traceTexts`. */
const kindPathAt = callKindPaths.flatMap((path) => namesOf(path).map(() => path))

/** Calls as their trace shows them. */
export async function* toTraceCalls(nodes: readonly CallNode[]): AsyncGenerator<TraceCall> {
  for (const node of nodes) yield toTraceCall(node)
}

function toTraceCall({ texts: [name, ...kindTexts], ...call }: CallNode): TraceCall {
  const { id, parent_id, op_name, display_name, exception, started_micros, ended_micros } = call
  return {
    id,
    parent_id: parent_id || null,
    op_name,
    name: displayNameOf({ op_name, display_name, attributes: name ? { otel_span: { name } } : {} }),
    kind: callKindOf({ op_name, attributes: attributesOf(kindTexts) }),
    status: exception ? 'error' : ended_micros === null ? 'running' : 'success',
    started_at: formatTimestamp(started_micros),
    ended_at: ended_micros === null ? null : formatTimestamp(ended_micros),
  }
}

/** What the texts say, as members named by whole paths. */
function attributesOf(texts: readonly string[]): Record<string, unknown> {
  const attributes: Record<string, unknown> = {}
  texts.forEach((text, at) => {
    const path = kindPathAt[at]
    if (text !== '' && path !== undefined) attributes[path] ??= text
  })
  return attributes
}
