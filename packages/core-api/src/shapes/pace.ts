import type { z } from 'zod'

/** Called between parts of long work. Returns a promise, to be awaited, when it is time to yield to the event loop. */
export type Pace = () => Promise<void> | undefined

type Context = z.core.ParseContextInternal
type PacedContext = Context & { pace?: Pace }

/** Checks a value like `safeParse`, and yields to the event loop in long lists and dictionaries. */
export async function parsePaced<S extends z.ZodType>(schema: S, value: unknown, pace: Pace): Promise<z.ZodSafeParseResult<z.output<S>>> {
  const context: PacedContext = { pace }
  return schema.safeParseAsync(value, context as z.core.ParseContext<z.core.$ZodIssue>)
}

/** The pace of a parse; undefined if it must not yield. */
export function paceOf(context: Context): Pace | undefined {
  return (context as PacedContext).pace
}

/** The same parse without yielding. */
export function withoutPace(context: Context): Context {
  const { pace: _, ...rest } = context as PacedContext
  return { ...rest, async: false }
}
