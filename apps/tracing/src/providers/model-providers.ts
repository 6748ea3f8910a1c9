import type { JsonObject } from '@heddle/core-api'

/** With `source` 'provider', `reason` is the provider's own error message. A transient failure may be retried. */
export interface FailedOutcome {
  status: 'failed'
  reason: string
  source: 'provider' | 'network'
  isTransient: boolean
}

export type ProviderOutcome = { status: 'succeeded'; body: JsonObject } | FailedOutcome

/** Creates a chat completion in this process, from models that the project may use. */
export type CompleteHere = (body: JsonObject, request: { projectId: string; signal: AbortSignal }) => Promise<ProviderOutcome>

/** A server that speaks the API of OpenAI. */
export interface ModelProvider {
  name: string
  /** Address below which `/images/generations` and the like are, without a trailing slash. */
  baseUrl: string
  /** Undefined for a server that needs none. */
  apiKey: string | undefined
  /** Handler of a provider in this process, which serves only chat completions. */
  complete?: CompleteHere
}

/** A model and who runs it. */
export interface ProvidedModel {
  provider: ModelProvider
  /** As the provider calls it. */
  model: string
}

/** Public information about a provider. */
export interface ConfiguredProvider {
  name: string
  /** Whether it serves models whose names begin with no provider. */
  isDefault: boolean
}

/** The providers that the operator has configured. */
export interface ModelProviders {
  /** False where no provider is configured. */
  readonly hasAny: boolean
  /** The providers that the operator has configured, in their order. */
  readonly configured: readonly ConfiguredProvider[]
  /** By the name of a provider before the first slash, else the default one; undefined if there is none. */
  find(modelId: string): ProvidedModel | undefined
}

/** `defaultName`: the provider of models whose names begin with no other. */
export function createModelProviders(providers: readonly ModelProvider[], defaultName: string | undefined): ModelProviders {
  const byName = new Map(providers.map((provider) => [provider.name, provider]))
  const fallback = defaultName === undefined ? undefined : byName.get(defaultName)
  return {
    hasAny: providers.length > 0,
    configured: providers.map(({ name }) => ({ name, isDefault: name === defaultName })),
    find(modelId) {
      const slash = modelId.indexOf('/')
      const named = slash > 0 ? byName.get(modelId.slice(0, slash)) : undefined
      if (named) return { provider: named, model: modelId.slice(slash + 1) }
      return fallback && { provider: fallback, model: modelId }
    },
  }
}
