import type { JsonObject } from '@heddle/core-api'
import type { Outgoing } from '@heddle/outgoing'
import type { Platform } from '../../platform.ts'
import { createProviderClient } from '../../providers/call-provider.ts'
import type { ModelProviders } from '../../providers/model-providers.ts'
import type { CallsWriter } from '../calls/write/calls-writer.ts'
import { createCompletionPlaces, defaultCompletionLimits } from './completion-places.ts'
import { completionsHandlers } from './completions-handlers.ts'

interface CompletionsOptions {
  providers: ModelProviders
  outgoing: Outgoing
  writer: CallsWriter
  mask: (payload: JsonObject) => JsonObject
}

/** Chat completions by models of providers. */
export function createCompletions({ clock, newId, log }: Platform, { providers, outgoing, writer, mask }: CompletionsOptions) {
  const handlers = completionsHandlers({
    providers,
    callProvider: createProviderClient(outgoing),
    takePlace: createCompletionPlaces(defaultCompletionLimits),
    writer,
    mask,
    clock,
    newId,
    onUntracked: (error) => log?.error({ err: error }, 'failed to record the call of a completion'),
  })
  return { handlers }
}
