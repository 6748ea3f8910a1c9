import type { CaptureSettings } from './capture/capture-settings.ts'
import { readEnvironment } from './environment.ts'
import type { TrainingConnection } from './sending/send-groups.ts'

/** A model on the training service: by its id, or by the name and base model it is registered with. */
export type ModelOption = { id: string } | { name: string; baseModel: string }

export interface AgentOptions {
  /** Address of the server. `HEDDLE_BASE_URL`; default `http://127.0.0.1:7400`. */
  baseUrl?: string
  /** `HEDDLE_API_KEY`. */
  apiKey?: string
  /** As `entity/project`. `HEDDLE_PROJECT`. Needed to register a model. */
  project?: string
  /** The model to train. Needed to log and to train. */
  model?: ModelOption
  /**
   * Which model is being trained; messages of other models are context. A name as written in requests or responses, or a function. Default: the model
   * by its name on the training service, if one is configured, else every model.
   */
  policy?: string | ((model: string | undefined) => boolean)
  /** Requests log-probabilities if the program does not. Default: true if `policy` or the name of a model is given. */
  requestLogprobs?: boolean
  /** Writes messages and choices on the spans of model calls. Default true. */
  captureContent?: boolean
  /** Default: the global one. */
  fetch?: typeof fetch
  /** Default: that of the process. */
  environment?: Readonly<Record<string, string | undefined>>
}

interface ModelRecord {
  id?: string
  entity: string
  project: string
  name: string
  base_model: string
}

export interface AgentSettings {
  capture: CaptureSettings
  connection: TrainingConnection
  /** @throws TypeError where no model is given */
  model(): ModelRecord
}

const defaultBaseUrl = 'http://127.0.0.1:7400'

export function toSettings(options: AgentOptions): AgentSettings {
  const environment = options.environment ?? readEnvironment()
  const baseUrl = options.baseUrl ?? environment['HEDDLE_BASE_URL'] ?? defaultBaseUrl
  if (!URL.canParse(baseUrl))
    throw new TypeError(`baseUrl (HEDDLE_BASE_URL) must be an address such as ${defaultBaseUrl}, got "${baseUrl}"`)
  const project = options.project ?? environment['HEDDLE_PROJECT']
  const apiKey = options.apiKey ?? environment['HEDDLE_API_KEY']
  const plainFetch = options.fetch ?? ((input, init) => fetch(input, init))
  const policy = toPolicy(options, project)
  return {
    capture: {
      fetch: plainFetch,
      fetchOf: (client) => options.fetch ?? ownFetch(client) ?? plainFetch,
      isPolicy: policy ?? (() => true),
      requestLogprobs: options.requestLogprobs ?? policy !== undefined,
      captureContent: options.captureContent ?? true,
      baseUrl,
    },
    connection: { baseUrl, apiKey, fetch: plainFetch },
    model: () => toModelRecord(options.model, project),
  }
}

/** Clients of `openai` keep the `fetch` that they were made with. */
function ownFetch(client: object): typeof fetch | undefined {
  const own: unknown = Reflect.get(client, 'fetch')
  return typeof own === 'function' ? (own as typeof fetch) : undefined
}

/** Names of trained models are addresses such as `heddle-artifact:///entity/project/name:step4`. */
function toPolicy({ policy, model }: AgentOptions, project: string | undefined): CaptureSettings['isPolicy'] | undefined {
  if (typeof policy === 'function') return policy
  if (policy !== undefined) return (name) => name === policy
  if (!model || !('name' in model) || project === undefined) return undefined
  const address = `${project}/${model.name}`
  return (name) => name !== undefined && withoutSchemeAndStep(name) === address
}

function withoutSchemeAndStep(name: string): string {
  return name.replace(/^[a-z][a-z0-9]*-artifact:\/{2,3}/, '').replace(/[:@][^/:@]*$/, '')
}

function toModelRecord(model: ModelOption | undefined, project: string | undefined): ModelRecord {
  if (!model) throw new TypeError('model is missing: pass { id } of a registered one, or { name, baseModel }')
  if ('id' in model) return { id: model.id, entity: '', project: '', name: '', base_model: '' }
  const [entity, name, ...rest] = (project ?? '').split('/')
  if (!entity || !name || rest.length > 0)
    throw new TypeError(`project (HEDDLE_PROJECT) must be entity/project to register a model, got "${project ?? ''}"`)
  return { entity, project: name, name: model.name, base_model: model.baseModel }
}
