import type { Outgoing } from '@heddle/outgoing'
import type { Platform } from '../../platform.ts'
import { createAskProvider } from '../../providers/ask-provider.ts'
import type { ModelProviders } from '../../providers/model-providers.ts'
import type { CallsWriter } from '../calls/write/calls-writer.ts'
import { imagesHandlers } from './images-handlers.ts'

interface ImagesOn {
  providers: ModelProviders
  outgoing: Outgoing
  writer: CallsWriter
}

/** Images that a provider of models makes. */
export function createImages({ clock, newId, log }: Platform, { providers, outgoing, writer }: ImagesOn) {
  const handlers = imagesHandlers({
    providers,
    ask: createAskProvider(outgoing),
    writer,
    clock,
    newId,
    onUntracked: (error) => log?.error({ err: error }, 'images were made, but their call could not be recorded'),
  })
  return { handlers }
}
