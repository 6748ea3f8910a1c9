import { tooManyRequests } from '@heddle/core-api/internal'
import type { HeldModel } from '../held-models/held-model.ts'
import { type Report, settle } from '../settle.ts'
import type { PendingResults, RequestOutcome, TinkerResult } from './pending-results.ts'
import type { SequencedRequest } from './sequenced-work.ts'
import type { SessionModel, TinkerSession } from './tinker-sessions.ts'

export interface RequestHandle {
  request_id: string
  model_id: string
}

interface OfSession {
  session: TinkerSession
  model: SessionModel
}

/** Promises the result of work on a held model, in the order of its requests. @throws ApiError as `SequencedWork.add`, and 429 */
export type Enqueue = (of: OfSession, request: SequencedRequest, work: (held: HeldModel) => Promise<TinkerResult>) => RequestHandle

const retryAfterSeconds = 2

export function createEnqueue(deps: { results: PendingResults; report: Report; newId: () => string }): Enqueue {
  const { results, report, newId } = deps
  return ({ session, model }, request, work) => {
    assertNotFull(results, session)
    const { projectId } = session
    const request_id = model.work.add(request, () => {
      const requestId = newId()
      let resolve: (settled: RequestOutcome) => void = () => undefined
      const settled = new Promise<RequestOutcome>((settling) => (resolve = settling))
      // What still waits when the session ends has no turn any more.
      const end = (reason: Error) => resolve({ kind: 'failed', message: reason.message, category: 'server' })
      session.endings.add(end)
      void settled.then(() => session.endings.delete(end))
      results.add(requestId, { sessionId: session.id, projectId }, { settled, cancel: () => undefined })
      const run = async () => {
        resolve(await settle(async () => work(await model.held), { name: model.id, step: null }, report))
      }
      return { requestId, run }
    })
    return { request_id, model_id: model.id }
  }
}

/** @throws ApiError 429 */
export function assertNotFull(results: PendingResults, session: TinkerSession): void {
  if (results.isFull(session.id))
    throw tooManyRequests('too many requests of the session are not done; retrieve their results first', retryAfterSeconds)
}
