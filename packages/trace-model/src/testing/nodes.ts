import type { TraceNode } from '../settle/trace-node.ts'
import { noTokens } from '../usage/token-counts.ts'

/** A call as tests write it: kind, tokens, and what differs from a plain ended call. */
export interface WrittenNode extends Partial<Omit<TraceNode, 'usage' | 'isModelCall'>> {
  id: string
  /** L model call, A agent, C chain, T tool of OTLP; WL and W a model call and another one of the clients' wire. */
  kind: 'L' | 'A' | 'C' | 'T' | 'W' | 'WL'
  /** Input and output; absent where it reports none. */
  tokens?: readonly [input: number, output: number]
  /** Tokens without parts, instead of `tokens`. */
  alone?: number
  model?: string
  serviceTier?: string
  /** For a call of the clients' wire that reports: requests whose tokens these are. */
  requests?: number
}

/** A node as settling takes it. */
export function aNode({
  kind,
  alone,
  tokens = alone === undefined ? undefined : [0, 0],
  model = 'm',
  serviceTier = '',
  requests,
  ...node
}: WrittenNode): TraceNode {
  const [input, output] = tokens ?? [0, 0]
  const isClient = kind === 'W' || kind === 'WL'
  const isRequest = isClient && requests !== undefined ? requests === 1 : kind === 'L' || kind === 'WL'
  const fare = { ...(serviceTier !== '' && { serviceTier }), ...(isRequest && { requestTokens: input }) }
  return {
    parentId: null,
    startedAt: 0,
    endedAt: 100,
    status: node.endedAt === null ? 'running' : 'success',
    scope: null,
    responseId: null,
    wire: isClient ? 'client' : 'otlp',
    threadId: null,
    ...node,
    isModelCall: kind === 'L' || kind === 'WL',
    usage: tokens === undefined ? [] : [{ model, counts: { ...noTokens, input, output, total: alone ?? input + output }, ...fare }],
  }
}
