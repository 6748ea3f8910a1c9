import type { CompleteHere, ModelProvider, ModelProviders } from './model-providers.ts'

/** Address of a trained model, as in chat completions. */
const isArtifact = (modelId: string) => /^[a-z][a-z0-9]*-artifact:/.test(modelId)

/** Further providers, and this server's own models: by their address, by any name after `heddle/`, and where no other provider is the default. */
export function withOwnModels(providers: ModelProviders, complete: CompleteHere): ModelProviders {
  const own: ModelProvider = { name: 'heddle', baseUrl: '', apiKey: undefined, complete }
  const prefix = `${own.name}/`
  return {
    hasAny: true,
    configured: providers.configured,
    find(modelId) {
      const found = providers.find(modelId)
      if (isArtifact(modelId)) return { provider: own, model: modelId }
      // A provider that the operator gave this name takes precedence.
      if (modelId.startsWith(prefix) && found?.provider.name !== own.name) return { provider: own, model: modelId.slice(prefix.length) }
      return found ?? { provider: own, model: modelId }
    },
  }
}
