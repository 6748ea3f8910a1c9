import { randomUUID } from 'node:crypto'
import type { TracingClient } from '../../connect.ts'

const [entity, project] = ['killed', 'project']
const project_id = `${entity}/${project}`

/** By this a reader knows a record again. */
const payloadOf = (name: string) => ({ name, text: `ü🙂\u0000 ${name} ${'lorem ipsum '.repeat(20)}` })

/** @throws Error for a payload that is not as it was written */
function nameIn(payload: unknown): string {
  const { name } = payload as { name: string }
  if (JSON.stringify(payload) !== JSON.stringify(payloadOf(name))) throw new Error(`a payload has changed: ${JSON.stringify(payload)}`)
  return name
}

const aStart = (op_name: string, name: string) => ({
  project_id,
  id: randomUUID(),
  trace_id: randomUUID(),
  op_name,
  started_at: new Date().toISOString(),
  attributes: {},
  inputs: payloadOf(name),
})
const anEnd = (id: string, name: string) => ({ project_id, id, ended_at: new Date().toISOString(), output: payloadOf(name), summary: {} })

/** The calls of one op that have ended. */
async function readCalls(client: TracingClient, op_name: string): Promise<string[]> {
  const names: string[] = []
  for await (const call of client.calls.streamQuery({ project_id, filter: { op_names: [op_name] } })) {
    if (call.ended_at) names.push(nameIn(call.inputs), ...(nameIn(call.output) === nameIn(call.inputs) ? [] : ['another output']))
  }
  return names
}

interface Kind {
  /** Returns the key by which the record is read, where that is not its name. */
  write(client: TracingClient, name: string): Promise<string | void>
  /** Names of all records that are there; of those with the keys, where they are read one by one. */
  read(client: TracingClient, keys: readonly string[]): Promise<string[]>
}

/** The kinds of records: each goes another way to the disk. */
const kinds: readonly Kind[] = [
  {
    async write(client, name) {
      const start = aStart('whole', name)
      await client.calls.complete({ entity, project, batch: [{ ...start, ...anEnd(start.id, name) }] })
    },
    read: (client) => readCalls(client, 'whole'),
  },
  {
    async write(client, name) {
      const start = aStart('halves', name)
      await client.calls.start({ start })
      await client.calls.end({ end: anEnd(start.id, name) })
    },
    read: (client) => readCalls(client, 'halves'),
  },
  {
    async write(client, name) {
      await client.objects.create({ obj: { project_id, object_id: name, val: payloadOf(name) } })
    },
    async read(client) {
      const { objs } = await client.objects.query({ project_id, filter: { latest_only: false } })
      return objs.map(({ val }) => nameIn(val))
    },
  },
  {
    async write(client, name) {
      const weave_ref = `weave:///${project_id}/call/${randomUUID()}`
      await client.feedback.create({ project_id, weave_ref, feedback_type: 'note', payload: payloadOf(name) })
    },
    async read(client) {
      const { result } = await client.feedback.query({ project_id })
      return result.map(({ payload }) => nameIn(payload))
    },
  },
  {
    async write(client, name) {
      const file = { field: 'file', filename: 'f', content_type: undefined, bytes: Buffer.from(JSON.stringify(payloadOf(name))) }
      return (await client.files.create({ project_id, files: [file] })).digest
    },
    async read(client, digests) {
      const contents = await inTurn(digests, (digest) => client.files.content({ project_id, digest }))
      return contents.map(({ bytes }) => nameIn(JSON.parse(Buffer.from(bytes).toString())))
    },
  },
  {
    async write(client, name) {
      return (await client.tables.create({ table: { project_id, rows: [payloadOf(name)] } })).digest
    },
    async read(client, digests) {
      const tables = await inTurn(digests, (digest) => client.tables.query({ project_id, digest }))
      return tables.flatMap(({ rows }) => rows.map(({ val }) => nameIn(val)))
    },
  },
]

/** What clients of a server know of its records, over all its lives. */
export interface KeptRecords {
  /** Writes one record of the kind that is next. Rejects without an answer, and for a refusal. */
  write(client: TracingClient): Promise<void>
  /** Reads all records. Returns what is wrong: those that were acknowledged and are missing, are there twice, or were never sent. */
  faults(client: TracingClient): Promise<string[]>
  /** How many records were acknowledged. */
  readonly acknowledged: number
}

export function createKeptRecords(): KeptRecords {
  const known = kinds.map((kind) => ({ kind, sent: new Set<string>(), acknowledged: new Map<string, string>() }))
  let turn = 0
  return {
    async write(client) {
      const name = `record-${turn}`
      const next = known[turn++ % known.length]
      next?.sent.add(name)
      const key = (await next?.kind.write(client, name)) ?? name
      next?.acknowledged.set(name, key)
    },
    async faults(client) {
      const found = await Promise.all(
        known.map(async ({ kind, sent, acknowledged }) => {
          const expected = [...acknowledged]
          const names = await kind.read(
            client,
            expected.map(([, key]) => key),
          )
          return faultsOf({ names, sent, acknowledged: expected.map(([name]) => name) })
        }),
      )
      return found.flat()
    },
    get acknowledged() {
      return known.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
    },
  }
}

/** One request after the other: thousands at a time are refused. */
async function inTurn<T>(keys: readonly string[], read: (key: string) => Promise<T>): Promise<T[]> {
  const found: T[] = []
  for (const key of keys) found.push(await read(key))
  return found
}

function faultsOf(read: { names: readonly string[]; sent: ReadonlySet<string>; acknowledged: readonly string[] }): string[] {
  const names = new Set(read.names)
  const twice = read.names.filter((name, index) => read.names.indexOf(name) !== index)
  return [
    ...read.acknowledged.filter((name) => !names.has(name)).map((name) => `${name} is missing`),
    ...twice.map((name) => `${name} is there twice`),
    ...read.names.filter((name) => !read.sent.has(name)).map((name) => `${name} was never sent`),
  ]
}
