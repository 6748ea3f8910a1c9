import type { z } from 'zod'

/** To be called between parts of long work: a promise where it is time to let others use the event loop, which is to be awaited. */
export type Pace = () => Promise<void> | undefined

type Context = z.core.ParseContextInternal
type PacedContext = Context & { pace?: Pace }

/** Checks a value like `safeParse`. Long lists and dictionaries are read in turns with other work. */
export async function parsePaced<S extends z.ZodType>(schema: S, value: unknown, pace: Pace): Promise<z.ZodSafeParseResult<z.output<S>>> {
  const context: PacedContext = { pace }
  return schema.safeParseAsync(value, context as z.core.ParseContext<z.core.$ZodIssue>)
}

/** The pace of a parse; undefined for one that is to be done at once. */
export function paceOf(context: Context): Pace | undefined {
  return (context as PacedContext).pace
}

/** The same parse at once. */
export function withoutPace(context: Context): Context {
  const { pace: _, ...rest } = context as PacedContext
  return { ...rest, async: false }
}
