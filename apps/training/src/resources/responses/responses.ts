import type { Micros } from '@heddle/datastore'
import type { KeepBlobs } from '../../keep-blobs.ts'
import type { Platform } from '../../platform.ts'
import type { BeginCompletion } from '../chat-completions/begin-completion.ts'
import type { OpenModel } from '../models/open-model.ts'
import { responsesHandlers } from './responses-handlers.ts'
import { sqlResponsesStore } from './responses-store.sql.ts'
import { createStoredResponses } from './stored-responses.ts'

export interface ResponsesOptions {
  begin: BeginCompletion
  report: (error: unknown) => void
  openModel: OpenModel
  keepBlobs: KeepBlobs
  assertDiskSpace: (() => Promise<void>) | undefined
}

/** How long a response is kept. */
const keptMicros = 30 * 24 * 3_600_000_000

/** Chat completions in the form of OpenAI's Responses. */
export function createResponses({ database, blobs, clock, newId }: Platform, on: ResponsesOptions) {
  const store = sqlResponsesStore(database)
  const stored = createStoredResponses({ store, blobs, keepBlobs: on.keepBlobs, openModel: on.openModel, clock })
  return {
    handlers: responsesHandlers({ ...on, stored, clock, newId }),
    /** Deletes expired responses in batches. */
    async sweep(now: Micros, signal: AbortSignal): Promise<void> {
      for (let some = 1; some > 0 && !signal.aborted;) some = await store.sweep(now - keptMicros)
    },
  }
}
