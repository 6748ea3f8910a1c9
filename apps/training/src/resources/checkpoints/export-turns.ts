import { tooManyRequests } from '@heddle/core-api/internal'
import type { RequestWork } from '@heddle/identity'
import { createPermitQueue, type PermitLimits } from '@heddle/service-kit'

const defaultExportLimits: PermitLimits = {
  running: 4,
  runningOfCaller: 3,
  runningOfProject: 2,
  queueTimeoutMs: 60_000,
  waiting: 32,
  waitingOfProject: 8,
}
const retryAfterSeconds = 10

/** Few exports run at a time, since each converts weights on the processor of the server; keys and their projects take turns. */
export interface ExportTurns {
  /**
   * Resolves to the function that ends the turn.
   * @throws ApiError 429 when earlier exports take too long or too many wait, the reason of the signal when that aborts
   */
  begin(work: Pick<RequestWork, 'caller' | 'signal'>, projectId: string): Promise<() => void>
}

export function createExportTurns(limits: Partial<PermitLimits> = {}): ExportTurns {
  const bounds = { ...defaultExportLimits, ...limits }
  const permits = createPermitQueue({ limits: bounds, nowMs: () => performance.now() })
  return {
    async begin({ caller, signal }, projectId) {
      const end = await permits.acquire({ caller, project: projectId }, signal)
      if (end) return end
      signal.throwIfAborted()
      throw tooManyRequests(
        `other models are being exported: ${bounds.running} at a time, ${bounds.runningOfCaller} of an API key and ${bounds.runningOfProject} of a project; try again when one has ended`,
        retryAfterSeconds,
      )
    },
  }
}
