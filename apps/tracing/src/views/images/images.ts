import type { Outgoing } from '@heddle/outgoing'
import type { Platform } from '../../platform.ts'
import { createProviderClient } from '../../providers/call-provider.ts'
import type { ModelProviders } from '../../providers/model-providers.ts'
import type { CallsWriter } from '../../records/calls/write/calls-writer.ts'
import { imagesHandlers } from './images-handlers.ts'

interface ImagesOptions {
  providers: ModelProviders
  outgoing: Outgoing
  writer: CallsWriter
}

/** Images that a provider of models makes. */
export function createImages({ clock, newId, log }: Platform, { providers, outgoing, writer }: ImagesOptions) {
  const handlers = imagesHandlers({
    providers,
    callProvider: createProviderClient(outgoing),
    writer,
    clock,
    newId,
    onUntracked: (error) => log?.error({ err: error }, 'failed to record the call of generated images'),
  })
  return { handlers }
}
