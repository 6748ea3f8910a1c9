import type { JsonObject } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import type { ModelProviders, ProvidedModel } from '../../providers/model-providers.ts'

/** Body of a chat completion. */
export type CompletionInputs = { model: string; messages: readonly unknown[] } & JsonObject

/** @throws 400 for a request that no provider can serve */
export function findModel(inputs: CompletionInputs, providers: ModelProviders): ProvidedModel {
  const { model, messages } = inputs
  if (model.trim() === '') throw badRequest('inputs.model must name a model')
  if (messages.length === 0) throw badRequest('inputs.messages must hold at least one message')
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
