import type { Handlers, JsonObject, tracing } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { TracingContext } from '../../context.ts'
import type { CallProvider } from '../../providers/call-provider.ts'
import type { ModelProviders, ProvidedModel, ProviderOutcome } from '../../providers/model-providers.ts'
import { usageOfAnswer } from '../../scoring/model/usage.ts'
import { completeChange } from '../calls/write/call-change.ts'
import type { CallsWriter } from '../calls/write/calls-writer.ts'
import type { TakePlace } from './completion-places.ts'

export interface CompletionsDeps {
  providers: ModelProviders
  callProvider: CallProvider
  takePlace: TakePlace
  writer: CallsWriter
  /** Hides credentials in a payload. */
  mask: (payload: JsonObject) => JsonObject
  clock: () => Micros
  newId: () => string
  /** Called when a completion was made and its call could not be recorded. */
  onUntracked: (error: unknown) => void
}

const opName = 'weave.completions_create'
const maxResponseBytes = 8 * 2 ** 20
const timeoutMs = 180_000

interface Asked {
  model: string
  inputs: JsonObject
  trace_id: string | null
  parent_id: string | null
  conversation_id: string | null
  startedAt: Micros
  userId: string
}

/** Operations that let models of providers continue a conversation. */
export function completionsHandlers(deps: CompletionsDeps): Handlers<(typeof tracing)['completions'], TracingContext> {
  const { providers, takePlace, clock, onUntracked } = deps
  return {
    async create({ project_id, inputs, track_llm_call, ...place }, context) {
      const project = await context.open(project_id)
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
        const asked = { ...place, inputs, model: inputs.model, startedAt, userId: context.caller.userId }
        const weave_call_id = await track(project, { asked, outcome, response }, deps).catch((error: unknown) => {
          onUntracked(error)
          return null
        })
        return { response, weave_call_id }
      } finally {
        givePlaceBack()
      }
    },
    async providers({ project_id }, context) {
      await context.open(project_id)
      return { providers: providers.configured.map(({ name, isDefault }) => ({ name, is_default: isDefault })) }
    },
  }
}

/** @throws 400 for a request that no provider can serve */
function findModel(inputs: { model: string; messages: readonly unknown[] } & JsonObject, providers: ModelProviders): ProvidedModel {
  const { model, messages } = inputs
  if (model.trim() === '') throw badRequest('inputs.model must name a model')
  if (messages.length === 0) throw badRequest('inputs.messages must hold at least one message')
  if (inputs['stream'] === true) throw badRequest('inputs.stream cannot be true: the response is sent as a whole')
  for (const name of ['prompt', 'template_vars'])
    if (inputs[name] !== undefined && inputs[name] !== null)
      throw badRequest(`inputs.${name} is not supported; send the messages as the model is to read them`)
  const found = providers.find(model)
  if (found) return found
  const shown = JSON.stringify(model.slice(0, 200))
  throw badRequest(`no configured provider serves the model ${shown}; configure one with HEDDLE_PROVIDERS_FILE or HEDDLE_OPENAI_API_KEY`, {
    api_key: 'HEDDLE_OPENAI_API_KEY',
  })
}

interface Sending {
  projectId: string
  signal: AbortSignal
  callProvider: CallProvider
}

function complete({ provider, model }: ProvidedModel, inputs: JsonObject, sending: Sending): Promise<ProviderOutcome> {
  const { projectId, signal, callProvider } = sending
  const body = { ...inputs, model }
  if (provider.complete) return provider.complete(body, { projectId, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) })
  return callProvider({ provider, path: '/chat/completions', body, maxResponseBytes, timeoutMs, signal })
}

interface Made {
  asked: Asked
  outcome: ProviderOutcome
  response: JsonObject
}

/** Records the call; resolves to its id when it is stored. */
async function track(project: ProjectScope, { asked, outcome, response }: Made, deps: CompletionsDeps): Promise<string> {
  const { model, inputs, trace_id, parent_id, conversation_id, startedAt, userId } = asked
  const id = deps.newId()
  const start = {
    trace_id: trace_id ?? deps.newId(),
    parent_id,
    thread_id: conversation_id,
    op_name: opName,
    started_at: startedAt,
    attributes: { kind: 'llm' },
    inputs: deps.mask(inputs),
    otel: null,
    wb_user_id: userId,
  }
  const usage = usageOfAnswer(model, response)
  const end = {
    ended_at: deps.clock(),
    output: response,
    summary: Object.keys(usage).length === 0 ? {} : { usage },
    ...(outcome.status === 'failed' && { exception: outcome.reason }),
  }
  await deps.writer.write([{ project, changes: [completeChange(id, start, end)] }])
  return id
}
