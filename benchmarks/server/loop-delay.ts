import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** Milliseconds by which the event loop of a server was late. */
export interface LoopDelay {
  p99: number
  max: number
}

/** Arguments for Node with which a server tells about its event loop at the socket. */
export function loopDelayArguments(socketPath: string): string[] {
  return ['--import', new URL(`loop-delay-probe.mjs?${encodeURIComponent(socketPath)}`, import.meta.url).href]
}

/** What happened since it was last asked. */
export async function readLoopDelay(socketPath: string): Promise<LoopDelay> {
  return JSON.parse(await text(connect(socketPath)))
}
