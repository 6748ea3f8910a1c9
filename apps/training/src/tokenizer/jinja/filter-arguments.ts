import type { CallArguments, Value } from '../python/values.ts'

/** Values of parameters by their names; omitted ones are missing. */
export type NamedArguments = Readonly<Record<string, Value | undefined>>

/** Gives arguments to parameters as Python does. @throws TypeError for one too many, one given twice, or a name that is not known */
export function bindArguments(called: string, parameters: readonly string[], { placed, named }: CallArguments): NamedArguments {
  if (placed.length > parameters.length)
    throw new TypeError(`${called}() takes at most ${parameters.length} arguments (${placed.length} given)`)
  const bound: Record<string, Value> = Object.fromEntries(placed.map((value, at) => [parameters[at]!, value]))
  for (const [name, value] of named) {
    if (!parameters.includes(name)) throw new TypeError(`${called}() got an unexpected keyword argument '${name}'`)
    if (Object.hasOwn(bound, name)) throw new TypeError(`${called}() got multiple values for argument '${name}'`)
    bound[name] = value
  }
  return bound
}

/** @throws TypeError where a whole number is needed */
export function wholeNumber(value: Value | undefined, defaultValue: number): number {
  if (value === undefined) return defaultValue
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value)
  throw new TypeError('a whole number is needed')
}
