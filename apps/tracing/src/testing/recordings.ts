import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Message } from '@heddle/trace-model'
import { expect } from 'vitest'

/** A request as an instrumentation sent it: an export of OpenTelemetry, or calls by the protocol of tracing clients, whose path may name the project. */
type RecordedRequest = { type: string; base64: string } & ({ signal: 'traces' | 'logs' } | { signal: 'client'; path: string })

/** The project in the requests of tracing clients. */
const recordedProject = 'recorded/trip-planner'

export interface ExpectedMessage {
  /** Null where the recording says no role. */
  role: string | null
  has: string[]
}

export interface ExpectedModelCall {
  input?: number
  output?: number
  cached?: number
  written?: number
  reasoning?: number
  failed?: boolean
  /** Null where the call names none. */
  model?: null
  in?: ExpectedMessage[]
  out?: ExpectedMessage[]
}

export interface ExpectedTrace {
  root: string
  thread?: string
  /** The question in the root span, if it differs from the prompt of the model. */
  asked?: string
  failed?: boolean
  /** Sums of input and output that are read, too. */
  or_total?: [number, number]
  total?: [number, number]
  model_calls: ExpectedModelCall[]
}

/** What is true of a recording. A text between slashes is a regular expression. */
export interface Expected {
  model: string
  model_call_span: string
  /** `other` for a tool that does not say that it is one. */
  tool_span?: { name: string; input: string; output: string; kind?: 'other' }
  /** In the order of their starts. */
  traces: ExpectedTrace[]
}

/** What a published instrumentation sent, and what is true of it. */
export interface Recording {
  name: string
  expected: Expected
  /** What was sent to a project, in its order, by method POST. */
  requests(project: string): { path: string; type: string; bytes: Buffer<ArrayBuffer> }[]
}

const folders = ['instrumentations', 'recorded'].map((name) => new URL(`../vectors/${name}/`, import.meta.url))

/** All recordings that the repository has. */
export const recordings: readonly Recording[] = folders.flatMap((folder) =>
  Object.entries(JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as Record<string, Expected>).map(
    ([name, expected]) => ({
      name,
      expected,
      requests(project) {
        const file = gunzipSync(readFileSync(new URL(`${name}.json.gz`, folder))).toString()
        return (JSON.parse(file) as { bodies: RecordedRequest[] }).bodies.map((request) => toRequest(request, project))
      },
    }),
  ),
)

function toRequest({ type, base64, ...sent }: RecordedRequest, project: string) {
  const bytes = Buffer.from(base64, 'base64')
  if (sent.signal !== 'client') return { path: `/otel/v1/${sent.signal}`, type, bytes }
  const own = (text: string) => text.replaceAll(recordedProject, project)
  return { path: own(sent.path), type, bytes: Buffer.from(own(bytes.toString())) }
}

/** Where recordings are sent. */
export interface RecordingTarget {
  apiKey: string
  project: string
  /** Sends to a server on the network, or in this process. */
  fetch: (path: string, init: RequestInit) => Promise<Response>
}

/** Sends a recording to a project as it was sent to the one that it was made with. */
export async function sendRecording(recording: Recording, { apiKey, project, fetch }: RecordingTarget): Promise<void> {
  for (const { path, type, bytes } of recording.requests(project)) {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': type, 'project-id': project }
    const response = await fetch(path, { method: 'POST', headers, body: bytes })
    if (!response.ok) throw new Error(`${recording.name}: ${path} was answered by ${response.status} ${await response.text()}`)
  }
}

/** Names of the files that hold recordings. */
export const recordedFiles: readonly string[] = folders.flatMap((folder) =>
  readdirSync(folder).flatMap((name) => (name.endsWith('.json.gz') ? [name.slice(0, -'.json.gz'.length)] : [])),
)

/** Whether a text is the one that is expected, or matches it where that stands between slashes. */
export const isMatch = (pattern: string, text: string) =>
  pattern.startsWith('/') && pattern.endsWith('/') ? new RegExp(pattern.slice(1, -1)).test(text) : pattern === text

/** Input and output tokens of each trace that are right. */
export function totalsOf({ total, or_total: orTotal, model_calls: calls }: ExpectedTrace): [number, number][] {
  const sum = (count: 'input' | 'output') => calls.reduce((all, call) => all + (call[count] ?? 0), 0)
  return [total ?? [sum('input'), sum('output')], ...(orTotal ? [orTotal] : [])]
}

/** Texts of the question that the turn of a trace shows. */
export const askedOf = ({ asked, model_calls: [first] }: ExpectedTrace): readonly string[] =>
  asked === undefined ? (first?.in?.findLast(({ role }) => role === 'user')?.has ?? []) : [asked]

/** Expects each message to be there, in this order; parts of one message may count as several. */
export function expectMessages(messages: readonly (Pick<Message, 'role'> & object)[], expected: readonly ExpectedMessage[]): void {
  if (expected.length === 0) expect(messages).toEqual([])
  let at = 0
  for (const { role, has } of expected) {
    const found = messages.findIndex(
      (message, index) =>
        index >= at && (role === null || message.role === role) && has.every((text) => JSON.stringify(message).includes(text)),
    )
    expect([role, has, messages, found >= 0]).toEqual([role, has, messages, true])
    at = found
  }
}
