import { indexRoots } from './index-path.ts'

/**
 * In an `idx_gaps`: for each path below, the index of the row holds a value that is equal in the attributes of the span and of the call only under
 * the path of the call. Rows on disk have this mark, so the paths must never change: different paths need a different mark.
 */
export const sharedLeavesMark = '=gen_ai'

const { spanAttributes: span, attributes: call } = indexRoots
const spanModelRequest = `${span}.gen_ai.request.`
const callModelRequest = `${call}.model_parameters.`

/** Attributes of the GenAI convention by the paths where the mapping of spans puts them. */
const places: ReadonlyMap<string, string> = new Map(
  Object.entries({
    agent_id: 'agent.id',
    agent_name: 'agent.name',
    model: 'response.model',
    operation_name: 'operation.name',
    provider: 'provider.name',
    response_id: 'response.id',
    tool_call_id: 'tool.call.id',
    tool_name: 'tool.name',
  }).map(([ofCall, ofSpan]) => [`${span}.gen_ai.${ofSpan}`, `${call}.${ofCall}`]),
)
const pathsOfCall: ReadonlySet<string> = new Set(places.values())

/** The path of the call that may hold the value at a path of the index; undefined if none does. Different paths have different ones. */
export function sharedPath(path: string): string | undefined {
  return path.startsWith(spanModelRequest) ? callModelRequest + path.slice(spanModelRequest.length) : places.get(path)
}

/** Whether a path is the `sharedPath` of another. */
export function mayBeShared(path: string): boolean {
  return path.startsWith(callModelRequest) || pathsOfCall.has(path)
}
