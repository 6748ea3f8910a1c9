import type { JsonObject } from '@heddle/core-api'
import type { ProjectScope } from '@heddle/identity'
import type { Outgoing } from '@heddle/outgoing'
import type { Platform } from '../../platform.ts'
import { createProviderClient } from '../../providers/call-provider.ts'
import { createProviderStreams } from '../../providers/stream-provider.ts'
import type { ModelProviders } from '../../providers/model-providers.ts'
import type { CallsWriter } from '../../records/calls/write/calls-writer.ts'
import { createCompletionPlaces, defaultCompletionLimits } from './completion-places.ts'
import { completionsHandlers } from './completions-handlers.ts'

interface CompletionsOptions {
  providers: ModelProviders
  outgoing: Outgoing
  writer: CallsWriter
  mask: (payload: JsonObject) => JsonObject
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
}

/** Time in which the call of a completion is recorded. */
const recordMs = 30_000

/** Chat completions by models of providers. */
export function createCompletions({ clock, newId, log }: Platform, options: CompletionsOptions) {
  const { outgoing, openProject, ...others } = options
  const handlers = completionsHandlers({
    ...others,
    callProvider: createProviderClient(outgoing),
    streamProvider: createProviderStreams(outgoing),
    takePlace: createCompletionPlaces(defaultCompletionLimits),
    openForRecord: (projectId) => openProject(projectId, AbortSignal.timeout(recordMs)),
    clock,
    newId,
    onUntracked: (error) => log?.error({ err: error }, 'failed to record the call of a completion'),
  })
  return { handlers }
}
