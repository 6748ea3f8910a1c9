import type { ServerContext } from '@modelcontextprotocol/server'
import type { Progress } from '../tools/tool-context.ts'

/** Sends progress to a client that asked for it. It only grows; what does not is left out. */
export function createReporter({ mcpReq }: ServerContext): (progress: Progress) => void {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => undefined
  let last = -1
  return ({ progress, ...rest }) => {
    if (progress <= last) return
    last = progress
    // A client that has left gets none.
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, ...rest } }).catch(() => undefined)
  }
}
