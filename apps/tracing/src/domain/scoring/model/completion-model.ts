import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import { parseJson } from '@heddle/json'
import { type ChatMessage, messagesForRow, readMessages } from './chat-messages.ts'

/** How the response of a model is parsed. */
export type ResponseFormat = 'text' | 'json_object' | 'json_schema'

/** A stored `LLMStructuredCompletionModel`, read. */
export interface CompletionModel {
  /** `<provider>/<model>`, or the name of a model of the default provider. */
  modelId: string
  /** Messages before those of the row. */
  template: readonly ChatMessage[]
  /** Parameters as providers take them. */
  parameters: JsonObject
  format: ResponseFormat
}

/** A model that cannot be called, or did not return a usable response. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
}

const passedParameters = ['temperature', 'top_p', 'max_tokens', 'presence_penalty', 'frequency_penalty', 'stop', 'functions']

/**
 * Reads the value of a model, in which references are already replaced by the values of their objects.
 * @throws ModelError when it names no model, or an unknown response format
 */
export function readCompletionModel(value: JsonObject): CompletionModel {
  const id = value['llm_model_id']
  const modelId = isJsonObject(id) ? providerModelId(id) : id
  if (typeof modelId !== 'string' || modelId === '')
    throw new ModelError('the model has no llm_model_id: a text such as "openai/gpt-4o-mini"')
  const params = isJsonObject(value['default_params']) ? value['default_params'] : {}
  const prompt = readMessages(params['prompt'])
  return {
    modelId,
    template: prompt.length > 0 ? prompt : readMessages(params['messages_template']),
    parameters: toParameters(params),
    format: readFormat(params['response_format']),
  }
}

/** `<provider>/<model>` of a stored `ProviderModel`. */
function providerModelId(model: JsonObject): unknown {
  const provider = isJsonObject(model['provider']) ? model['provider']['name'] : model['provider']
  return typeof provider === 'string' && typeof model['name'] === 'string' ? `${provider}/${model['name']}` : model['name']
}

function readFormat(format: unknown): ResponseFormat {
  if (format === undefined || format === null || format === 'text') return 'text'
  if (format === 'json' || format === 'json_object') return 'json_object'
  if (format === 'json_schema') return 'json_schema'
  throw new ModelError(`response_format must be text, json_object or json_schema, got ${JSON.stringify(format).slice(0, 100)}`)
}

function toParameters(params: JsonObject): JsonObject {
  const isGiven = (value: unknown) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
  const given = passedParameters.filter((name) => isGiven(params[name])).map((name) => [name, params[name]])
  return { ...Object.fromEntries(given), ...(isGiven(params['n_times']) && { n: params['n_times'] }) }
}

export interface CompletedRow {
  /** As the provider calls it. */
  model: string
  row: JsonObject
  /** False: `{column}` in the template is kept. Default true. */
  fillsPrompts?: boolean
}

/** The body of a chat completion for one row. A column `config` overrides parameters. */
export function completionBody(
  { template, parameters, format }: CompletionModel,
  { model, row, fillsPrompts = true }: CompletedRow,
): JsonObject {
  const config = isJsonObject(row['config']) ? toParameters(row['config']) : {}
  const response_format = format === 'json_object' ? { response_format: { type: 'json_object' } } : {}
  return { model, messages: messagesForRow(template, row, { fills: fillsPrompts }), ...parameters, ...config, ...response_format }
}

/**
 * The output in a response: its text, or its JSON object, depending on the response format.
 * @throws ModelError when the response has no text, or text that is not a JSON object although the format is JSON
 */
export function readCompletion({ format }: Pick<CompletionModel, 'format'>, answer: JsonObject): unknown {
  const [choice] = Array.isArray(answer['choices']) ? (answer['choices'] as unknown[]) : []
  const message = isJsonObject(choice) ? choice['message'] : undefined
  const content = isJsonObject(message) ? message['content'] : undefined
  if (typeof content !== 'string') throw new ModelError('the model returned no text')
  if (format === 'text') return content
  const value = parseOrUndefined(content)
  if (!isJsonObject(value)) throw new ModelError(`the model did not return a JSON object: ${JSON.stringify(content.slice(0, 200))}`)
  return value
}

function parseOrUndefined(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
