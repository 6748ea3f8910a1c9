import type { Call } from '@heddle/core-api/types'
import { printJson, stringifyJson } from '@heddle/json/exact'
import { draftOfCall } from '../../playground/draft/draft-of-call.ts'

/** A piece of a program that does something with a call. */
export interface CallCode {
  title: string
  code: string
}

interface Place {
  baseUrl: string
  project: string
}

/** Programs that read a call, and, for a model call, that repeat its request. Values are written as JSON, so that no text of a trace becomes code. */
export function codeOfCall(call: Pick<Call, 'id' | 'inputs'>, { baseUrl, project }: Place): CallCode[] {
  const read = { title: 'Read this call', code: readingCode({ project_id: project, id: call.id }, baseUrl) }
  return draftOfCall(call.inputs) ? [read, { title: 'Ask the model again', code: askingCode(call.inputs) }] : [read]
}

const readingCode = (request: { project_id: string; id: string }, baseUrl: string) =>
  [
    "import { tracing } from '@heddle/core-api'",
    "import { createClient } from '@heddle/core-api/client'",
    '',
    `const client = createClient({ baseUrl: ${literal(baseUrl)}, apiKey: process.env.HEDDLE_API_KEY, contract: tracing })`,
    `const { call } = await client.calls.read(${literal(request)})`,
    'console.log(call)',
  ].join('\n')

const askingCode = (inputs: Call['inputs']) =>
  [
    '// Any server that answers chat completions.',
    'const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {',
    "  method: 'POST',",
    "  headers: { authorization: `Bearer ${process.env.OPENAI_API_KEY}`, 'content-type': 'application/json' },",
    ...bodyLines(inputs),
    '})',
    'console.log(await response.json())',
  ].join('\n')

/** A number that JavaScript would write differently, such as `1.0` or an integer beyond 2^53, can be sent exactly only from a text. */
function bodyLines(inputs: Call['inputs']): string[] {
  const exact = stringifyJson(inputs)
  if (JSON.stringify(JSON.parse(exact)) === exact) return [`  body: JSON.stringify(${literal(inputs)}),`]
  return ['  // A text, since JSON.stringify would change some of these numbers.', `  body: ${JSON.stringify(exact)},`]
}

/** JSON is valid JavaScript, and has line breaks only between values. */
const literal = (value: unknown) => printJson(value)
