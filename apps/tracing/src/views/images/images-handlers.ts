import type { Handlers, JsonObject, tracing } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { TracingContext } from '../../context.ts'
import type { CallProvider } from '../../providers/call-provider.ts'
import type { ModelProviders } from '../../providers/model-providers.ts'
import { completeChange } from '../../records/calls/write/call-change.ts'
import type { CallsWriter } from '../../records/calls/write/calls-writer.ts'
import { type ImageInputs, toImageRequest, toImageResponse } from './image-request.ts'

export interface ImagesDeps {
  providers: ModelProviders
  callProvider: CallProvider
  writer: CallsWriter
  clock: () => Micros
  newId: () => string
  /** Called when images were made and their call could not be recorded. */
  onUntracked: (error: unknown) => void
}

const opName = 'weave.image_generation_create'
/** Ten images of four megabytes as text. */
const maxResponseBytes = 64 * 2 ** 20
const timeoutMs = 180_000

interface CreatedImages {
  inputs: ImageInputs
  response: JsonObject
  startedAt: Micros
  userId: string
}

/** Operations that let models make images. */
export function imagesHandlers(deps: ImagesDeps): Handlers<(typeof tracing)['images'], TracingContext> {
  const { clock, onUntracked } = deps
  return {
    async create({ project_id, inputs, track_llm_call }, context) {
      const project = await context.open(project_id)
      const startedAt = clock()
      const made = await makeImages(inputs, deps, context.work.signal)
      if ('error' in made) return { response: made, weave_call_id: null }
      const response = made.response
      if (!track_llm_call) return { response, weave_call_id: null }
      const images = { inputs, response, startedAt, userId: context.caller.userId }
      const weave_call_id = await track(project, images, deps).catch((error: unknown) => {
        onUntracked(error)
        return null
      })
      return { response, weave_call_id }
    },
  }
}

async function makeImages(
  inputs: ImageInputs,
  { providers, callProvider }: ImagesDeps,
  signal: AbortSignal,
): Promise<{ error: string } | { response: JsonObject }> {
  if (inputs.model === '') return { error: 'Image generation failed: Model name is required' }
  const found = providers.find(inputs.model)
  if (!found || found.provider.complete) return { error: 'No OpenAI API key found' }
  const { provider, model } = found
  const body = toImageRequest(model, inputs)
  const outcome = await callProvider({ provider, path: '/images/generations', body, maxResponseBytes, timeoutMs, signal })
  if (outcome.status === 'succeeded') return { response: toImageResponse(inputs.model, outcome.body) }
  return { error: outcome.source === 'provider' ? outcome.reason : `Image generation failed: ${outcome.reason}` }
}

/** Records a call in its own trace; resolves to its id when it is stored. */
async function track(project: ProjectScope, { inputs, response, startedAt, userId }: CreatedImages, deps: ImagesDeps): Promise<string> {
  const id = deps.newId()
  const start = {
    trace_id: deps.newId(),
    op_name: opName,
    started_at: startedAt,
    attributes: {},
    inputs: { ...inputs },
    otel: null,
    wb_user_id: userId,
  }
  const { usage } = response
  const end = {
    ended_at: deps.clock(),
    output: response,
    summary: usage === undefined || usage === null ? {} : { usage: { [inputs.model]: usage } },
  }
  await deps.writer.write([{ project, changes: [completeChange(id, start, end)] }])
  return id
}
