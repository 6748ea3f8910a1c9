import type { TraceNode } from '../settle/trace-node.ts'
import { noTokens } from '../usage/token-counts.ts'

/** A call as tests write it: kind, tokens, and what differs from a plain ended call. */
export interface WrittenNode extends Partial<Omit<TraceNode, 'usage' | 'isModelCall'>> {
  id: string
  /** L model call, A agent, C chain, T tool of OTLP; WL and W a model call and another one of the clients' wire. */
  kind: 'L' | 'A' | 'C' | 'T' | 'W' | 'WL'
  /** Input and output; absent where it reports none. */
  tokens?: readonly [input: number, output: number]
  model?: string
}

/** A node as settling takes it. */
export function aNode({ kind, tokens, model = 'm', ...node }: WrittenNode): TraceNode {
  const [input, output] = tokens ?? [0, 0]
  return {
    parentId: null,
    startedAt: 0,
    endedAt: 100,
    status: node.endedAt === null ? 'running' : 'success',
    scope: null,
    wire: kind === 'W' || kind === 'WL' ? 'client' : 'otlp',
    threadId: null,
    ...node,
    isModelCall: kind === 'L' || kind === 'WL',
    usage: tokens === undefined ? [] : [{ model, counts: { ...noTokens, input, output, total: input + output } }],
  }
}
