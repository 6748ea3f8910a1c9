/** Reads the value of a search parameter. Undefined if it is absent or unusable: users type addresses, and programs shorten them. */
export type ReadParam<Value> = (value: unknown) => Value | undefined

/** The values of search parameters, by their readers. */
export type SearchOf<Params> = { [Name in keyof Params]?: Params[Name] extends ReadParam<infer Value> ? Value | undefined : never }

/** Reads the search parameters of a page, each by its own reader, and drops all others. */
export const searchOf =
  <Params extends Record<string, ReadParam<unknown>>>(params: Params) =>
  (search: Record<string, unknown>): SearchOf<Params> =>
    Object.fromEntries(Object.entries(params).map(([name, read]) => [name, read(search[name])])) as SearchOf<Params>

export function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** One of some words. */
export const word =
  <const Word extends string>(...words: readonly Word[]): ReadParam<Word> =>
  (value) =>
    words.find((one) => one === value)

/** A text; `true` and `false` typed by a user have been parsed as booleans. */
export const textOrBoolean: ReadParam<string> = (value) => (typeof value === 'boolean' ? String(value) : text(value))

/** A whole number from 1. */
export function whole(value: unknown): number | undefined {
  const number = Number(value)
  return Number.isSafeInteger(number) && number >= 1 ? number : undefined
}

/** A whole number from 0. */
export function count(value: unknown): number | undefined {
  const number = finite(value)
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

/** Any finite number. */
export function finite(value: unknown): number | undefined {
  const number = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}
