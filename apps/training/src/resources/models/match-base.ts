import type { BaseModel } from '../../engine/engine.ts'

/**
 * The base model that a name means: the one with this id, else the one with the part after the last slash, since clients name a model with its
 * organization, as `org/model`, or by the path of a folder. Undefined if neither is one.
 */
export function matchBase<Base extends Pick<BaseModel, 'id'>>(bases: readonly Base[], name: string): Base | undefined {
  return bases.find(({ id }) => id === name) ?? bases.find(({ id }) => id === lastPart(name))
}

/** `model` of `org/model`, and of a name without a slash the name. */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf('/') + 1)
