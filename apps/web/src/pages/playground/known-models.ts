import type { KnownModels } from './playground-queries.ts'

/** A name of a model without its checkpoint, and the checkpoint. */
export function splitModel(model: string): { name: string; step: string } {
  const [, name = model, step = ''] = /^(.+):step(\d+)$/.exec(model) ?? []
  return { name, step }
}

/** The model of the project that is meant, with any checkpoint. */
export function findTrained({ trained }: Pick<KnownModels, 'trained'>, model: string) {
  const { name } = splitModel(model)
  return trained.find((one) => `${one.entity}/${one.project}/${one.name}` === name)
}

/** Whether the page offers a model. */
export const isKnown = (known: Pick<KnownModels, 'trained' | 'base'>, model: string): boolean =>
  known.base.includes(model) || findTrained(known, model) !== undefined

/** The model that a variant begins with: the model of the call if it is offered here, else the first. Undefined when none is offered. */
export function firstModel(known: Pick<KnownModels, 'trained' | 'base'>, ofCall: string): string | undefined {
  if (isKnown(known, ofCall)) return ofCall
  const [trained] = known.trained
  return trained ? `${trained.entity}/${trained.project}/${trained.name}` : known.base[0]
}
