import type { KnownModels } from './playground-queries.ts'

/** A name of a model without its checkpoint, and the checkpoint. */
export function splitModel(model: string): { name: string; step: string } {
  const [, name = model, step = ''] = /^(.+):step(\d+)$/.exec(model) ?? []
  return { name, step }
}

/** The project's model with this name, whatever the checkpoint. */
export function findTrained({ trained }: Pick<KnownModels, 'trained'>, model: string) {
  const { name } = splitModel(model)
  return trained.find((one) => `${one.entity}/${one.project}/${one.name}` === name)
}

const isOwn = (known: Pick<KnownModels, 'trained' | 'base'>, model: string): boolean =>
  known.base.includes(model) || findTrained(known, model) !== undefined

/** The provider that runs a model, and the name of the model there. Undefined for a model of this server, and for one without a provider. */
export function findProvided(
  known: Pick<KnownModels, 'trained' | 'base' | 'providers'>,
  model: string,
): { provider: string; name: string } | undefined {
  if (isOwn(known, model)) return undefined
  const slash = model.indexOf('/')
  const named = known.providers.find((provider) => slash > 0 && provider.name === model.slice(0, slash))
  if (named) return { provider: named.name, name: model.slice(slash + 1) }
  const fallback = known.providers.find((provider) => provider.is_default)
  return fallback && { provider: fallback.name, name: model }
}

/** Whether the page offers a model. */
export const isKnown = (known: Pick<KnownModels, 'trained' | 'base' | 'providers'>, model: string): boolean =>
  isOwn(known, model) || findProvided(known, model) !== undefined

/** The model that a variant begins with: the model of the call if it is offered here, else the first. Undefined when none is offered. */
export function firstModel(known: Pick<KnownModels, 'trained' | 'base' | 'providers'>, ofCall: string): string | undefined {
  if (ofCall !== '' && isKnown(known, ofCall)) return ofCall
  const [trained] = known.trained
  if (trained) return `${trained.entity}/${trained.project}/${trained.name}`
  const [provider] = known.providers
  return known.base[0] ?? (provider && `${provider.name}/`)
}
