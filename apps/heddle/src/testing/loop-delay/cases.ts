import { hostileValues, withNewIds } from './hostile-values.ts'
import type { Place } from './json-schema.ts'
import type { Prepared } from './targets.ts'

/** A request with a hostile value. */
export interface Case {
  name: string
  /** Makes the body. Ids that requests choose are new in each. */
  body: () => string
}

export interface CasesOptions {
  /** Bytes of the largest values. */
  bytes: number
  /** Cases with any value at any place, in any size, beside one for each form of value. */
  extra: number
  random: () => number
}

// Just below the bodies that are read at once, and beyond those that are read in a thread.
const smallerBytes = [15_000, 300_000]

/**
 * Cases of a target: each form of hostile value that one of its places may have, in full size at a place that is drawn, and some that are drawn altogether. A
 * form at every place would be ten times as many, most of which end in the same line of the same check.
 */
export function casesOf(prepared: Prepared, { bytes, extra, random }: CasesOptions): Case[] {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
  const largest = Math.min(bytes, prepared.maxBytes)
  const all = (size: number) => prepared.places.flatMap((place) => casesAt(prepared, place, size))
  const full = all(largest)
  const forms = [...new Set(full.map(({ form }) => form))].map((name) => full.filter(({ form }) => form === name))
  const sizes = [...smallerBytes, largest].map(all)
  return [...forms.map(pick), ...Array.from({ length: full.length === 0 ? 0 : extra }, () => pick(pick(sizes)))]
}

function casesAt({ sample, valueOf, wrap }: Prepared, { path, schema }: Place, bytes: number): (Case & { form: string })[] {
  const given = path.reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], sample)
  const entry = Array.isArray(given) ? (given as unknown[])[0] : undefined
  const { items, additionalProperties: values } = schema
  const right = () => JSON.stringify(withNewIds(entry ?? valueOf(items ?? (typeof values === 'object' ? values : {}))))
  return hostileValues(schema, bytes, { right }).map(({ name: form, json }) => ({
    form,
    name: `${form} at ${path.join('.')}`,
    body: () => wrap(placed(withNewIds(sample), path, json())),
  }))
}

const mark = 'the hostile value'

/** The JSON of a request with a text at a place. */
function placed(base: unknown, path: readonly string[], json: string): string {
  let at = base as Record<string, unknown>
  path.forEach((key, depth) => {
    const next = path[depth + 1]
    if (next === undefined) at[key] = mark
    else if (typeof at[key] !== 'object' || at[key] === null) at[key] = next === '0' ? [] : {}
    at = at[key] as Record<string, unknown>
  })
  return JSON.stringify(base).replace(JSON.stringify(mark), () => json)
}
