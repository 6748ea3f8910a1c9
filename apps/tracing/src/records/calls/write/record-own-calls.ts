import type { Identity } from '@heddle/identity'
import { runInSlices, type Steps } from '@heddle/service-kit'
import { type CallChange, type CallEnd, type CallStart, completeSteps } from './call-change.ts'
import type { WriteContext } from './call-input.ts'
import type { CallsWriter } from './calls-writer.ts'

/** A call of this server's own that has ended. */
export type OwnCall = { id: string } & Omit<CallStart, 'otel'> & CallEnd

/**
 * Stores calls that another service of this server made, in a project that its caller was allowed to write to. Resolves when they are durable and
 * readable. @throws ApiError, StoreError
 */
export type RecordOwnCalls = (projectId: string, calls: readonly OwnCall[], signal: AbortSignal) => Promise<void>

interface RecordOwnCallsDeps {
  writer: Pick<CallsWriter, 'write'>
  identity: Pick<Identity, 'openForWork'>
  mask: WriteContext['mask']
}

export function createRecordOwnCalls({ writer, identity, mask }: RecordOwnCallsDeps): RecordOwnCalls {
  function* toChanges(calls: readonly OwnCall[]): Steps<CallChange[]> {
    const changes: CallChange[] = []
    for (const call of calls) {
      const { inputs, attributes, output } = mask({ inputs: call.inputs, attributes: call.attributes, output: call.output })
      changes.push(yield* completeSteps(call.id, { ...call, inputs, attributes, otel: null }, { ...call, output }))
      yield
    }
    return changes
  }

  return async (projectId, calls, signal) => {
    const project = await identity.openForWork(projectId, { caller: 'jobs', signal })
    await writer.write([{ project, changes: await runInSlices(toChanges(calls)) }])
  }
}
