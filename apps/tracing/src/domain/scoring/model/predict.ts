import type { JsonObject } from '@heddle/core-api'
import type { CallProvider } from '../../../providers/call-provider.ts'
import type { ModelProviders } from '../../../providers/model-providers.ts'
import { type CallScope, recordCall } from '../call-scope.ts'
import { type CompletionModel, completionBody, ModelError, readCompletion } from './completion-model.ts'
import { addUsage, usageOfAnswer } from './usage.ts'

const maxResponseBytes = 8 * 2 ** 20
const timeoutMs = 120_000
/** Pauses before the second and third request of one prediction; there is no fourth. */
const pausesMs = [1_000, 4_000]

/** A model that a project has stored. */
export interface StoredModel {
  /** Reference by which it was named; null for a model inside another object. */
  ref: string | null
  model: CompletionModel
}

/** Runs a model on one row, as a call below `parent`. @throws ModelError if there is no usable response */
export type Predict = (parent: CallScope, predicted: { stored: StoredModel; row: JsonObject; signal: AbortSignal }) => Promise<unknown>

interface RequestScope {
  projectId: string
  signal: AbortSignal
}

interface PredictDeps {
  providers: ModelProviders
  callProvider: CallProvider
  /** Resolves after this many milliseconds, or when the signal aborts. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** Reference to the op of the calls. */
  opRef: string
  /** `{column}` in the messages of a model becomes the value of the row. */
  fillsPrompts: boolean
}

export function createPredict({ providers, callProvider, pause, opRef, fillsPrompts }: PredictDeps): Predict {
  /** @throws what aborted the signal, so that an aborted request never counts as a response of the model */
  async function complete({ model }: StoredModel, row: JsonObject, { projectId, signal }: RequestScope): Promise<JsonObject> {
    const found = providers.find(model.modelId)
    if (found === undefined) throw new ModelError(`no configured provider serves the model ${JSON.stringify(model.modelId.slice(0, 200))}`)
    const body = completionBody(model, { model: found.model, row, fillsPrompts })
    for (let attempt = 0; ; attempt++) {
      const { provider } = found
      const outcome = provider.complete
        ? await provider.complete(body, { projectId, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) })
        : await callProvider({ provider, path: '/chat/completions', body, maxResponseBytes, timeoutMs, signal })
      signal.throwIfAborted()
      if (outcome.status === 'succeeded') return outcome.body
      const pauseMs = pausesMs[attempt]
      if (!outcome.isTransient || pauseMs === undefined) throw new ModelError(outcome.reason)
      await pause(pauseMs, signal)
      signal.throwIfAborted()
    }
  }

  return (parent, { stored, row, signal }) =>
    recordCall(parent, { name: 'predict', opRef, inputs: { ...row, self: stored.ref } }, async (scope) => {
      const answer = await complete(stored, row, { projectId: parent.recording.projectId, signal })
      addUsage(scope.usage, usageOfAnswer(stored.model.modelId, answer))
      return readCompletion(stored.model, answer)
    })
}
