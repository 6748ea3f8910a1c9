import type { Handlers, JsonObject, tracing } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import type { TracingContext } from '../../context.ts'
import type { CallProvider } from '../../providers/call-provider.ts'
import type { ModelProviders, ProvidedModel, ProviderOutcome } from '../../providers/model-providers.ts'
import type { StreamProvider } from '../../providers/stream-provider.ts'
import { completionLimits } from './completion-limits.ts'
import type { TakePlace } from './completion-places.ts'
import { findModel } from './find-model.ts'
import { type EndedCompletion, recordCompletion, type RecordDeps } from './record-completion.ts'
import { begun, chunksOf, linesOf } from './stream-completion.ts'

export interface CompletionsDeps extends RecordDeps {
  providers: ModelProviders
  callProvider: CallProvider
  streamProvider: StreamProvider
  takePlace: TakePlace
  /** Opens a project for a record that is made although the client has left. */
  openForRecord: (projectId: string) => Promise<ProjectScope>
  /** Called when a completion was made and its call could not be recorded. */
  onUntracked: (error: unknown) => void
}

/** Operations that let models of providers continue a conversation. */
export function completionsHandlers(deps: CompletionsDeps): Handlers<(typeof tracing)['completions'], TracingContext> {
  const { providers, takePlace, clock, newId, onUntracked } = deps
  /** False when it failed. */
  const record = async (project: ProjectScope | Promise<ProjectScope>, ended: EndedCompletion): Promise<boolean> => {
    try {
      await recordCompletion(await project, ended, deps)
      return true
    } catch (error) {
      onUntracked(error)
      return false
    }
  }

  return {
    async create({ project_id, inputs, track_llm_call, ...place }, context) {
      const project = await context.open(project_id)
      if (inputs['stream'] === true)
        throw badRequest('inputs.stream cannot be true: the response is sent as a whole; /completions/create_stream streams it')
      const found = findModel(inputs, providers)
      const givePlaceBack = takePlace(project.id)
      try {
        const startedAt = clock()
        const { signal } = context.work
        const outcome = await complete(found, inputs, { projectId: project.id, signal, callProvider: deps.callProvider })
        // The client has disconnected: no one would receive the call id.
        signal.throwIfAborted()
        const response = outcome.status === 'succeeded' ? outcome.body : { error: outcome.reason }
        if (!track_llm_call) return { response, weave_call_id: null }
        const requested = { ...place, inputs, model: inputs.model, startedAt, userId: context.caller.userId }
        const exception = outcome.status === 'failed' ? outcome.reason : undefined
        const id = newId()
        return { response, weave_call_id: (await record(project, { id, requested, response, exception })) ? id : null }
      } finally {
        givePlaceBack()
      }
    },
    async createStream({ project_id, inputs, track_llm_call, ...place }, context) {
      const project = await context.open(project_id)
      const found = findModel(inputs, providers)
      const onEnd = takePlace(project.id)
      const requested = { ...place, inputs, model: inputs.model, startedAt: clock(), userId: context.caller.userId }
      const callId = track_llm_call ? newId() : null
      const leaving = new AbortController()
      const signal = AbortSignal.any([context.work.signal, leaving.signal])
      const lines = linesOf({
        callId,
        chunks: chunksOf(found, inputs, { projectId: project.id, signal, streamProvider: deps.streamProvider }),
        signal,
        record: async (response, exception) =>
          callId === null || record(deps.openForRecord(project.id), { id: callId, requested, response, exception }),
        onEnd,
      })
      return begun(lines, () => leaving.abort())
    },
    async providers({ project_id }, context) {
      await context.open(project_id)
      return { providers: providers.configured.map(({ name, isDefault }) => ({ name, is_default: isDefault })) }
    },
  }
}

interface Sending {
  projectId: string
  signal: AbortSignal
  callProvider: CallProvider
}

function complete({ provider, model }: ProvidedModel, inputs: JsonObject, sending: Sending): Promise<ProviderOutcome> {
  const { projectId, signal, callProvider } = sending
  const { timeoutMs } = completionLimits
  const body = { ...inputs, model }
  if (provider.complete) return provider.complete(body, { projectId, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) })
  return callProvider({ provider, path: '/chat/completions', body, signal, ...completionLimits })
}
