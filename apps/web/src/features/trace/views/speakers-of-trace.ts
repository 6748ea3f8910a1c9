import { parentsFirst, type TreeNode } from '@heddle/trace-model'
import type { TraceCall } from '../trace-queries.ts'
import { type ModelRequest, reportWithMessages } from './model-calls.ts'

/** A span of a trace that may hold messages: a request to a model, or an agent or a root around requests. */
export interface Speaker {
  reports: ModelRequest
  isRequest: boolean
  /** Id of the nearest agent or root around it. */
  aroundId: string | undefined
}

/** The spans of a trace that may hold messages, by their start, outer spans before inner ones. */
export function speakersOfTrace(roots: readonly TreeNode<TraceCall>[], requests: readonly ModelRequest[]): Speaker[] {
  const requested = new Map(requests.flatMap((request) => request.map(({ id }) => [id, request] as const)))
  const around = new Map<string, string>()
  const speakers: Speaker[] = []
  for (const { call, children, depth } of parentsFirst(roots)) {
    const request = requested.get(call.id)
    const isAround = request === undefined && (call.kind === 'agent' || depth === 0)
    const aroundId = around.get(call.id)
    if (isAround) speakers.push({ reports: [call], isRequest: false, aroundId })
    else if (request?.[0] === call) speakers.push({ reports: request, isRequest: true, aroundId })
    const inside = isAround ? call.id : aroundId
    if (inside !== undefined) for (const child of children) around.set(child.call.id, inside)
  }
  return speakers.sort((a, b) => a.reports[0].startedAt - b.reports[0].startedAt)
}

/**
 * What is shown of the speakers whose messages have been read: every request, and of agents and roots those around no other speaker that says
 * something, since they repeat its messages in another form.
 */
export function shownSpeakers<T>(speakers: readonly Speaker[], messages: ReadonlyMap<string, readonly T[]>) {
  const says = (speaker: Speaker) => (reportWithMessages(speaker.reports, messages)?.messages.length ?? 0) > 0
  const parents = new Map(speakers.flatMap(({ reports, isRequest, aroundId }) => (isRequest ? [] : [[reports[0].id, aroundId] as const])))
  const repeating = new Set<string>()
  for (const speaker of speakers.filter(says))
    for (let id = speaker.aroundId; id !== undefined && !repeating.has(id); id = parents.get(id)) repeating.add(id)
  return speakers
    .filter((speaker) => speaker.isRequest || (says(speaker) && !repeating.has(speaker.reports[0].id)))
    .flatMap(({ reports, isRequest }) => {
      const read = reportWithMessages(reports, messages)
      return read ? [{ ...read, isRequest }] : []
    })
}
