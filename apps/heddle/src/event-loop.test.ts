import { mkdtemp, rm } from 'node:fs/promises'
import { request, type RequestOptions } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Operation, toInputSchema, tracing, training } from '@heddle/core-api'
import { seededRandom, type ServerProcess, startServerProcess } from '@heddle/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { hostileValues } from './testing/loop-delay/hostile-values.ts'
import { createSamples, placesOf, type Schema } from './testing/loop-delay/json-schema.ts'
import type { LoopBeat } from './testing/loop-delay/loop-beat.ts'

// Whatever JSON a key sends to any operation of both services and to any tool for assistants, the event loop of the server stops for no longer than
// 50 ms and 20 ms for each MB. The server measures itself, see `loop-beat.ts`. Processor time on a busy machine is up to three times that of a quiet one.
const boundMs = (bytes: number) => 3 * (50 + (20 * bytes) / 1e6)
/** What the documentation says that a request may take at most. */
const boundBytes = (bytes: number) => 256 * 2 ** 20 + 30 * bytes

const seed = 20261128
const secret = 'k'.repeat(40)
const casesOfSlice = 24
const bytesOfCase = inject('long') ? 2_000_000 : 1_000_000

let folder: string
let server: ServerProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-loop-'))
  const built = fileURLToPath(inject('builtChildren'))
  const node = ['--expose-gc', '--import', join(built, 'loop-beat.js'), join(built, 'main.js')]
  server = await startServerProcess({
    args: [...node, 'serve', '--data-dir', join(folder, 'data'), '--port', '0', '--api-key', secret],
    env: { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder, HEDDLE_TEST_BEAT: join(folder, 'beat') },
  })
}, 120_000)
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

function exchange(options: RequestOptions, body?: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text = text.length < 1e6 ? text + part : text))
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text })).once('error', reject)
    })
    sent.once('error', reject).end(body)
  })
}

const beat = async () => JSON.parse((await exchange({ socketPath: join(folder, 'beat'), path: '/' })).text) as LoopBeat

function send({ method, path }: { method: string; path: string }, body: string) {
  const { hostname: host, port, pathname } = new URL(server.url + path)
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': String(Buffer.byteLength(body)),
    authorization: `Bearer ${secret}`,
  }
  return exchange({ host, port, path: pathname, method, headers }, body)
}

/** Something that takes JSON: how it is reached, and where in the JSON its input is. */
interface Target {
  name: string
  method: string
  path: string
  schema: Schema
  wrap: (input: string) => string
  maxBytes: number
}

function operationTargets(): Target[] {
  return Object.entries({ tracing, training }).flatMap(([service, contract]) =>
    Object.entries(contract as Record<string, Record<string, Operation>>).flatMap(([resource, group]) =>
      Object.entries(group)
        .filter(([, { body }]) => body !== undefined)
        .map(([key, operation]) => ({ ...toTarget(operation), name: `${service}.${resource}.${key}` })),
    ),
  )
}

function toTarget(operation: Operation) {
  const path = operation.path
    .replace('{entity}', 'test')
    .replace('{project}', 'p')
    .replace('{model_id}', '00000000-0000-4000-8000-000000000000')
    .replaceAll(/\{\w+\}/g, 'x')
  return { method: operation.method, path, schema: toInputSchema(operation) as Schema, wrap: (input: string) => input, maxBytes: Infinity }
}

async function toolTargets(): Promise<Target[]> {
  const call = (method: string, params: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`
  const { text } = await send({ method: 'POST', path: '/mcp' }, call('tools/list', '{}'))
  const json = /\{.*\}/s.exec(text)?.[0] ?? '{}'
  const { result } = JSON.parse(json) as { result: { tools: { name: string; inputSchema: Schema }[] } }
  return result.tools.map(({ name, inputSchema: schema }) => ({
    name: `mcp.${name}`,
    method: 'POST',
    path: '/mcp',
    schema,
    wrap: (input) => call('tools/call', `{"name":"${name}","arguments":${input}}`),
    maxBytes: 900_000,
  }))
}

interface Case {
  name: string
  target: Target
  body: string
}

/** Made one after the other, since all of them are more than fits in memory. */
function* casesOf(targets: readonly Target[]): Generator<() => Case[]> {
  const sample = createSamples()
  for (const target of targets)
    for (const { path, schema } of placesOf(target.schema, target.schema))
      yield () => {
        const sampleItem = () => JSON.stringify(sample(schema.items ?? {}, target.schema))
        return hostileValues(schema, Math.min(bytesOfCase, target.maxBytes), sampleItem).map(({ name, json }) => ({
          name: `${target.name}: ${name} at ${path.join('.')}`,
          target,
          body: target.wrap(placed(sample(target.schema, target.schema), path, json)),
        }))
      }
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

/** What a request did that it must not do; undefined where it kept within the bounds. Tried again before it is believed: a collection may fall into any. */
async function findFault({ target, body }: Case): Promise<string | undefined> {
  let fault: string | undefined
  for (let attempt = 0; attempt < 3; attempt++) {
    const { restingBytes } = await beat()
    const { status, text } = await send(target, body)
    const { longestMs, mostBytes } = await beat()
    const isSound = status < 500 || status === 503 || status === 501
    if (!isSound) return `status ${status}: ${text.slice(0, 200)}`
    if (longestMs > boundMs(body.length)) fault = `the loop stopped for ${Math.round(longestMs)} ms, with ${body.length} bytes`
    else if (mostBytes - restingBytes > boundBytes(body.length))
      fault = `it took ${mostBytes - restingBytes} bytes, with ${body.length} bytes`
    else return undefined
  }
  return fault
}

test(
  'no JSON of a key stops the event loop for longer than its bytes allow, or takes more memory, at any operation and any tool',
  async () => {
    const random = seededRandom(seed)
    const [operations, tools] = [operationTargets(), await toolTargets()]
    expect(tools.length).toBeGreaterThan(5)
    expect((await beat()).longestMs).toBeGreaterThan(0)
    const makers = [...casesOf([...operations, ...tools])]
    const chosen = inject('long') ? makers : Array.from({ length: casesOfSlice }, () => makers[Math.floor(random() * makers.length)]!)
    const faults: string[] = []
    for (const make of chosen) {
      const cases = make()
      const some = inject('long') ? cases : cases.filter((_, index) => index === Math.floor(random() * cases.length))
      for (const one of some) {
        const fault = await findFault(one)
        if (fault !== undefined) faults.push(`${one.name}: ${fault}`)
      }
    }
    expect(faults).toEqual([])
  },
  inject('long') ? 7_200_000 : 240_000,
)

const operand = '{"$eq":[{"$getField":"id"},{"$literal":"x"}]}'
const many = (json: string, count: number) => `[${`${json},`.repeat(count - 1)}${json}]`

test.each<[string, string, string]>([
  ['wrong ids of calls', '/calls/query', `{"project_id":"test/p","filter":{"call_ids":${many('0', 990_000)}}}`],
  ['wrong conditions', '/calls/query', `{"project_id":"test/p","query":{"$expr":{"$and":${many('0', 990_000)}}}}`],
  ['wrong elements', '/calls/query', `{"project_id":"test/p","query":{"$expr":{"$in":[{"$getField":"id"},${many('0', 660_000)}]}}}`],
  [
    'lists of conditions',
    '/calls/query',
    `{"project_id":"test/p","query":{"$expr":{"$or":${many(`{"$or":${many(operand, 150)}}`, 500)}}}}`,
  ],
  ['wrong messages', '/v1/chat/completions', `{"model":"m","messages":${many('0', 990_000)}}`],
  ['wrong texts that end a completion', '/v1/chat/completions', `{"model":"m","messages":[],"stop":${many('0', 660_000)}}`],
  ['empty calls', '/v2/test/p/calls/complete', `{"batch":${many('{}', 660_000)}}`],
  ['as many empty calls as are allowed', '/v2/test/p/calls/complete', `{"batch":${many('{}', 20_000)}}`],
  ['empty feedback', '/feedback/batch/create', `{"batch":${many('{}', 660_000)}}`],
  ['wrong references', '/refs/read_batch', `{"refs":${many('0', 990_000)}}`],
  ['a GraphQL document of 27 MB', '/graphql', JSON.stringify({ query: ' '.repeat(27_000_000) })],
  ['a deep GraphQL document', '/graphql', JSON.stringify({ query: '{a'.repeat(1_000_000) })],
  ['rows of a table', '/table/create', `{"table":{"project_id":"test/p","rows":${many('{}', 250_000)}}}`],
  ['a long id', '/calls/query', `{"project_id":"test/p","filter":{"call_ids":["${'x'.repeat(2_000_000)}"]}}`],
])('%s keep within the bounds', { timeout: 120_000 }, async (_, path, body) => {
  const target: Target = { name: path, method: 'POST', path, schema: {}, wrap: (input) => input, maxBytes: Infinity }
  expect(await findFault({ name: path, target, body })).toBeUndefined()
})
