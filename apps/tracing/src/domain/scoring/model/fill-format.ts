import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import { stringifyJson } from '@heddle/json'

/** A prompt that is malformed, or names an unknown variable. */
export class PromptError extends Error {
  override readonly name = 'PromptError'
}

const token = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g

/**
 * Fills the fields of a Python format string: `{name}`, `{a.b}` and `{a[b]}` reach into the variables, `{{` and `}}` are literal braces.
 * Strings are inserted as they are, other values as JSON.
 * @throws PromptError for an unknown variable, a format specification or a brace without its pair
 */
export function fillFormat(format: string, variables: JsonObject): string {
  return format.replace(token, (found, field: string | undefined) => {
    if (found === '{{') return '{'
    if (found === '}}') return '}'
    if (field === undefined) throw new PromptError(`the prompt has a single "${found}": write "${found}${found}" for a literal one`)
    return toText(readField(field, variables))
  })
}

/** Fills `{name}` where a variable has that name, and leaves every other brace as it is. */
export function fillKnown(text: string, variables: JsonObject): string {
  return text.replace(/\{([^{}]+)\}/g, (found, name: string) => (Object.hasOwn(variables, name) ? toText(variables[name]) : found))
}

function readField(field: string, variables: JsonObject): unknown {
  const [name = '', ...steps] = field.split(/[.[]/).map((step) => (step.endsWith(']') ? step.slice(0, -1) : step))
  if (/[!:]/.test(field))
    throw new PromptError(`the prompt field {${field}} has a conversion or format: write the name of the variable only`)
  if (!Object.hasOwn(variables, name)) {
    throw new PromptError(
      `unknown variable in the prompt field {${field}}; the variables are ${Object.keys(variables).slice(0, 20).join(', ')}`,
    )
  }
  return steps.reduce<unknown>((value, step) => stepInto(value, step, field), variables[name])
}

function stepInto(value: unknown, step: string, field: string): unknown {
  if (isJsonObject(value) && Object.hasOwn(value, step)) return value[step]
  if (Array.isArray(value) && /^\d+$/.test(step) && Number(step) < value.length) return value[Number(step)]
  throw new PromptError(`cannot fill the prompt field {${field}}: it has no "${step}"`)
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : stringifyJson(value)
}
