import { type Operation, toInputSchema, tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { aFilledProject, sampleRequests as tracingSamples } from '@heddle/tracing/testing'
import { sampleRequests as trainingSamples } from '@heddle/training/testing'
import type { Exchange, SendRequest } from './exchange.ts'
import { createSamples, type Place, placesIn, placesOf, type Schema } from './json-schema.ts'

/** Something that takes JSON. */
export interface Target {
  name: string
  /** A request that is accepted by the weakest key that may send it, in a project that is there for this target alone. */
  prepare(): Promise<Prepared>
}

export interface Prepared {
  method: string
  path: string
  /** The id of the project. */
  project: string
  /** Undefined: the operation needs no key. */
  key: string | undefined
  /** The JSON of the request that is accepted. */
  sample: unknown
  /** Where values of it are, and what belongs there. */
  places: Place[]
  /** An accepted value for a place that the sample lacks. */
  valueOf: (schema: Schema) => unknown
  wrap: (input: string) => string
  maxBytes: number
}

export interface TargetsOptions {
  url: string
  adminKey: string
  send: SendRequest
}

/** From the least rights to the most. An `ingest` key cannot read what it sent. */
const roles = ['ingest', 'reader', 'writer', 'admin'] as const
type Role = (typeof roles)[number]

/** The operations that take JSON, of both services. */
export function operationTargets(options: TargetsOptions): Target[] {
  return Object.entries({ tracing, training }).flatMap(([service, contract]) =>
    Object.entries(contract as Record<string, Record<string, Operation>>).flatMap(([resource, group]) =>
      Object.entries(group)
        .filter(([, operation]) => takesJson(operation))
        .map(([key, operation]) => ({
          name: `${service}.${resource}.${key}`,
          prepare: () => prepareOperation({ service, resource, key, operation }, options),
        })),
    ),
  )
}

const takesJson = ({ body, bytes, staged, method }: Operation) =>
  method !== 'GET' && (body !== undefined || (staged === true && bytes === undefined) || bytes?.includes('application/json') === true)

interface Named {
  service: string
  resource: string
  key: string
  operation: Operation
}

async function prepareOperation(named: Named, options: TargetsOptions): Promise<Prepared> {
  const known = await fill(options)
  const { operation, resource, key } = named
  const { method, path, body } = await requestOf(named, known)
  const sample: unknown = JSON.parse(body)
  const schema = operation.body === undefined ? {} : (toInputSchema(operation) as Schema)
  const makeSample = createSamples(known)
  const prepared = {
    method,
    path,
    project: known.project_id,
    sample,
    places: distinct([...placesOf(schema, schema), ...placesIn(sample)]),
    valueOf: (of: Schema) => makeSample(of, schema),
    wrap: (input: string) => input,
    maxBytes: Infinity,
  }
  return { ...prepared, key: operation.open === true ? undefined : await weakestKey(`${resource}.${key}`, prepared, known, options) }
}

function distinct(places: readonly Place[]): Place[] {
  return [...new Map(places.toReversed().map((place) => [`${place.path.join('.')} ${place.schema.type}`, place])).values()].toReversed()
}

/** Makes the keys of the roles, and tries each with the sample. @throws Error with the answers where none is accepted */
async function weakestKey(
  name: string,
  { method, path, sample, wrap }: Pick<Prepared, 'method' | 'path' | 'sample' | 'wrap'>,
  known: Known,
  options: TargetsOptions,
): Promise<string> {
  const outcomes: string[] = []
  for (const role of [...roles, 'server'] as const) {
    const key = role === 'server' ? options.adminKey : await keyOf(role, known, options)
    const { status, text } = await options.send({ method, path, key, body: wrap(JSON.stringify(sample)) })
    outcomes.push(`${role}: ${status} ${text.slice(0, 200)}`)
    const isRefused = /"isError":true/.test(text) && /not allow|may not|forbidden/.test(text)
    if (status < 400 && !isRefused) return key
  }
  throw new Error(`the sample request of ${name} is not accepted:\n${outcomes.join('\n')}`)
}

async function keyOf(role: Role, { project_id }: Known, { url, adminKey }: TargetsOptions): Promise<string> {
  const client = createClient({ baseUrl: url, apiKey: adminKey, contract: tracing })
  return (await client.projectKeys.create({ project_id, name: role, role })).secret
}

export type Known = Record<string, unknown> & { project_id: string; project: string; entity: string }

/** A project with something of everything, and the names under which requests ask for it. */
async function fill({ url, adminKey, send }: TargetsOptions): Promise<Known & Record<string, string>> {
  const client = createClient({ baseUrl: url, apiKey: adminKey, contract: tracing })
  const learner = createClient({ baseUrl: url, apiKey: adminKey, contract: training })
  const place = await aFilledProject({ client }, 'marker')
  const [entity = '', project = ''] = place.project_id.split('/')
  const base_model = (await learner.baseModels.list({})).data[0]!.id
  const { id: model_id } = await learner.models.create({ entity, project, name: 'agent', base_model })
  const address = `heddle-artifact:///${entity}/${project}/agent`
  const conversation = JSON.stringify({
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ],
  })
  const { url: training_data_url } = await learner.trainingData.create({
    entity,
    project,
    bytes: Buffer.from(conversation),
    content_type: 'application/jsonl',
  })
  const recorded = { 'x-heddle-trajectory-id': 't', 'x-heddle-group-id': 'g' }
  const chat = JSON.stringify({ model: address, messages: [{ role: 'user', content: 'a' }], max_tokens: 1 })
  await send({ method: 'POST', path: '/v1/chat/completions', key: adminKey, body: chat, headers: recorded })
  const { id: response_id } = await learner.responses.create({ model: address, input: 'a', max_output_tokens: 1 })
  const { id: file_id } = await learner.trainingFiles.create({
    'openai-project': place.project_id,
    purpose: 'fine-tune',
    files: [{ field: 'file', filename: 'a.jsonl', content_type: 'application/jsonl', bytes: Buffer.from(conversation) }],
  })
  const { id: fine_tuning_job_id } = await learner.fineTuningJobs.create({ model: base_model, training_file: file_id })
  const trained = {
    model_id,
    base_model,
    address,
    training_data_url,
    trajectory_id: 't',
    group_id: 'g',
    response_id,
    file_id,
    fine_tuning_job_id,
  }
  return { ...place, entity, project, ...trained } as never
}

/** Where the sample of an operation is for a server with other models. */
const serverSamples: Readonly<Record<string, (known: Known) => object>> = {
  'tracing.completions.create': chatInput,
  'tracing.completions.createStream': chatInput,
  'training.models.create': ({ base_model }) => ({ base_model }),
  'training.checkpoints.delete': () => ({ steps: [] }),
}

function chatInput({ project_id }: Known): object {
  return { inputs: { model: `${project_id}/agent`, messages: [{ role: 'user', content: 'a' }], max_tokens: 1 } }
}

/** What the client would send. */
async function requestOf({ service, resource, key }: Named, known: Known): Promise<Exchange & { body: string }> {
  const made =
    service === 'tracing'
      ? (tracingSamples as unknown as Record<string, Record<string, (place: object) => object>>)[resource]?.[key]?.(known)
      : trainingSamples[`${resource}.${key}`]?.(known as never)
  const input = { ...made, ...serverSamples[`${service}.${resource}.${key}`]?.(known) }
  let sent: (Exchange & { body: string }) | undefined
  const contract = service === 'tracing' ? tracing : (training as unknown as typeof tracing)
  const client = createClient({
    baseUrl: 'http://server.test',
    contract,
    retries: 0,
    fetch: async (address, init) => {
      const { method, url } = new Request(address, init)
      const { pathname, search } = new URL(url)
      sent = { method, path: pathname + search, body: await new Request(address, init).text() }
      return new Response('', { status: 400 })
    },
  }) as unknown as Record<string, Record<string, (input: object) => AsyncIterable<unknown> | Promise<unknown>>>
  const answer = client[resource]![key]!(input)
  const read = async () => {
    if (Symbol.asyncIterator in answer) for await (const _ of answer) void _
    await answer
  }
  await read().catch(() => undefined)
  if (sent === undefined) throw new Error(`${service}.${resource}.${key} sent nothing`)
  return sent
}

/** The tools for assistants. */
export async function toolTargets(options: TargetsOptions): Promise<Target[]> {
  const { send, adminKey } = options
  const call = (method: string, params: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`
  const { text } = await send({ method: 'POST', path: '/mcp', key: adminKey, body: call('tools/list', '{}') })
  const json = /\{.*\}/s.exec(text)?.[0] ?? '{}'
  const { result } = JSON.parse(json) as { result: { tools: { name: string; inputSchema: Schema }[] } }
  return result.tools.map(({ name, inputSchema: schema }) => ({
    name: `mcp.${name}`,
    async prepare() {
      const known = await fill(options)
      const names = {
        ...known,
        project: known.project_id,
        call_id: known['callId'],
        trace_id: known['traceId'],
        queue_id: known['queueId'],
      }
      const makeSample = createSamples(names)
      const prepared = {
        method: 'POST',
        path: '/mcp',
        project: known.project_id,
        sample: makeSample(schema, schema),
        places: placesOf(schema, schema),
        valueOf: (of: Schema) => makeSample(of, schema),
        wrap: (input: string) => call('tools/call', `{"name":"${name}","arguments":${input}}`),
        maxBytes: 900_000,
      }
      return { ...prepared, key: await weakestKey(`mcp.${name}`, prepared, known, options) }
    },
  }))
}
