import { z } from 'zod'

/** A value that a shape refuses: an error type, a message, and the path inside the value. */
export class Refusal {
  readonly type: string
  readonly message: string
  readonly path: string[]

  constructor(type: string, message: string, path: string[] = []) {
    this.type = type
    this.message = message
    this.path = path
  }
}

/**
 * A schema that one function reads: it returns the value to keep or a `Refusal`. An absent value is reported as missing and never read.
 * `jsonSchema` documents the accepted values.
 */
export function checked<Out, In = Out>(read: (value: unknown) => Out | Refusal, jsonSchema: Record<string, unknown>): z.ZodType<Out, In> {
  const schema = z.unknown().check((context) => {
    if (context.value === undefined) {
      context.issues.push({ code: 'invalid_type', expected: 'nonoptional', input: undefined })
      return
    }
    const result = read(context.value)
    if (result instanceof Refusal) {
      const { type, message, path } = result
      context.issues.push({ code: 'custom', message, path, params: { type }, input: context.value })
    } else {
      context.value = result
    }
  })
  return schema.meta(jsonSchema) as unknown as z.ZodType<Out, In>
}
