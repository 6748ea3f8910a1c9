import { z } from 'zod'

/** A list of at most `max` entries. */
export function listOf<S extends z.ZodType>(entry: S, max: number) {
  return z.array(entry).max(max)
}

/** A list of at most `max` entries, where the operation itself refuses longer ones with its own error. */
export function documentedList<S extends z.ZodType>(entry: S, max: number) {
  return z.array(entry).meta({ maxItems: max })
}

/** An object of at most `max` keys of the caller's choice. */
export function recordOf<S extends z.ZodType>(value: S, max: number) {
  return z
    .record(z.string(), value)
    .check((context) => {
      const keys = Object.keys(context.value).length
      if (keys <= max) return
      const message = `Dictionary should have at most ${max} items, not ${keys}`
      context.issues.push({ code: 'custom', message, params: { type: 'too_long' }, input: context.value })
    })
    .meta({ maxProperties: max })
}
