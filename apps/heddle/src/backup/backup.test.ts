import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FaultyFiles } from '@heddle/datastore/testing/faulty-files'
import { createIdentity, type NewKey } from '@heddle/identity'
import { trials } from '@heddle/testing'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { backup } from '../commands/backup.ts'
import { exportCommand } from '../commands/export.ts'
import { importCommand } from '../commands/import.ts'
import { restore } from '../commands/restore.ts'
import { type Configuration, toConfiguration } from '../settings/configuration.ts'
import { connect, type TracingClient } from '../connect.ts'
import { withKeyStores } from '../stores/key-stores.ts'
import { systemClock } from '../process/system-clock.ts'
import { type RunningCommand, startCommand } from '../testing/run-command.ts'
import { copiesFolder } from './copy-tables.ts'
import { listFiles } from '../archive/hashed-files.ts'
import { toTerminal } from '../terminal/terminal.ts'

const { files: watched } = await vi.hoisted(async () => {
  const { createFaultyFiles } = await import('@heddle/datastore/testing/faulty-files')
  return { files: createFaultyFiles() as FaultyFiles }
})
vi.mock('node:fs/promises', async (original) => watched.wrap(await original()))

vi.setConfig({ testTimeout: 240_000 })

const apiKey = 'a-key-of-the-backup-tests-with-fifty-characters-or-so'
const project = 'acme/kept'

let folder: string
let server: RunningCommand
let client: TracingClient
/** Writes of each of those who write while a backup is made. */
const mostOfLane = trials({ usual: 6, long: 60 })
const written: Written[] = []
const notes: string[] = []
const terminal = toTerminal({
  out: () => undefined,
  note: (text: string) => void notes.push(text),
  isInteractive: false,
  status: () => undefined,
})

const dataDir = () => join(folder, 'data')
const at = (name: string) => join(folder, name)
const configurationOf = (over: Record<string, string> = {}): Configuration =>
  toConfiguration({
    environment: { HEDDLE_DATA_DIR: dataDir(), HEDDLE_API_KEY: apiKey, HEDDLE_PORT: portOf(server), ...over },
    flags: {},
  })
/** Files and folders of these tests that a power cut may take away. */
const mayBeLost = () => watched.unsynced.filter((path) => path.startsWith(folder))
const portOf = (command: RunningCommand) => /http:\/\/127\.0\.0\.1:(\d+)/.exec(command.out())?.[1] ?? ''
const backUp = (name: string, over: Record<string, string> = {}) =>
  backup({ folder: at(name), configuration: configurationOf(over), terminal })
const restoreTo = (name: string, data: string) =>
  restore({ folder: at(name), isCheck: false, configuration: configurationOf({ HEDDLE_DATA_DIR: at(data) }), terminal })
const verify = (name: string) => restore({ folder: at(name), isCheck: true, configuration: configurationOf(), terminal })

async function serve(data: string): Promise<RunningCommand> {
  const command = startCommand(['serve', '--port', '0'], { HEDDLE_DATA_DIR: at(data), HEDDLE_API_KEY: apiKey })
  await command.said('Any program')
  return command
}

async function stop(command: RunningCommand, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (command.child.exitCode === null) command.child.kill(signal)
  await command.ended
}

/** A call with all that it refers to, and what refers to it. */
interface Written {
  callId: string
  objectRef: string
  tableDigest: string
  fileDigest: string
}

/** Writes a file, a table, an object that names both, a call that names the object, and feedback on the call: each after what it names. */
async function write(number: number): Promise<Written> {
  const file = { field: 'file', filename: 'a.txt', content_type: undefined, bytes: Buffer.from(`content ${number}`) }
  const { digest: fileDigest } = await client.files.create({ project_id: project, files: [file] })
  const rows = [{ number }, { number: number + 0.5 }]
  const { digest: tableDigest } = await client.tables.create({ table: { project_id: project, rows } })
  const val = { rows: `weave:///${project}/table/${tableDigest}`, file: fileDigest, number }
  const { digest } = await client.objects.create({ obj: { project_id: project, object_id: `object-${number % 7}`, val } })
  const objectRef = `weave:///${project}/object/object-${number % 7}:${digest}`
  const callId = randomUUID()
  const times = { started_at: new Date().toISOString(), ended_at: new Date().toISOString() }
  const call = {
    project_id: project,
    id: callId,
    trace_id: randomUUID(),
    op_name: 'op',
    attributes: {},
    inputs: { objectRef },
    summary: {},
  }
  await client.calls.complete({ entity: 'acme', project: 'kept', batch: [{ ...call, ...times, output: number }] })
  const weave_ref = `weave:///${project}/call/${callId}`
  await client.feedback.create({ project_id: project, weave_ref, feedback_type: 'wandb.note.1', payload: { note: `on ${number}` } })
  return { callId, objectRef, tableDigest, fileDigest }
}

async function expectWhatItNames(reader: TracingClient, { objectRef, fileDigest, tableDigest }: Written): Promise<void> {
  const { vals } = await reader.refs.readBatch({ refs: [objectRef] })
  expect(vals).toEqual([expect.objectContaining({ file: fileDigest })])
  expect((await reader.tables.query({ project_id: project, digest: tableDigest })).rows).toHaveLength(2)
  const { bytes } = await reader.files.content({ project_id: project, digest: fileDigest })
  expect(Buffer.from(bytes).toString()).toMatch(/^content \d+$/)
}

async function callsOf(reader: TracingClient): Promise<{ id: string; inputs: unknown }[]> {
  const calls: { id: string; inputs: unknown }[] = []
  for await (const call of reader.calls.streamQuery({ project_id: project })) calls.push(call)
  return calls
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-backup-'))
  server = await serve('data')
  client = (await connect(configurationOf())).client
  written.push(...(await Promise.all(Array.from({ length: 8 }, (_, number) => write(number)))))
}, 120_000)
afterAll(async () => {
  await stop(server, 'SIGKILL')
  await rm(folder, { recursive: true })
})

test('a backup that is made while others write holds all that was acknowledged before, and all that it refers to', async () => {
  const before = [...written]
  let isOver = false
  const writing = Promise.all(
    [1, 2].map(async (lane) => {
      for (let number = lane * 1_000; !isOver && number < lane * 1_000 + mostOfLane; number++) written.push(await write(number))
    }),
  )
  watched.begin()
  await backUp('first').finally(() => (isOver = true))
  expect(mayBeLost(), 'a power cut takes nothing of a finished backup away').toEqual([])
  await writing
  expect(written.length).toBeGreaterThan(before.length)
  await restoreTo('first', 'restored')
  expect(mayBeLost(), 'a power cut takes nothing of a restored data folder away').toEqual([])
  expect(notes.at(-2)).toMatch(/Restored .*; counts, digests and references match the backup/)

  const other = await serve('restored')
  try {
    const { client: reader } = await connect(configurationOf({ HEDDLE_DATA_DIR: at('restored'), HEDDLE_PORT: portOf(other) }))
    const calls = await callsOf(reader)
    const ids = new Set(calls.map(({ id }) => id))
    expect(before.filter(({ callId }) => !ids.has(callId))).toEqual([])
    const { result: results } = await reader.feedback.query({ project_id: project })
    expect(results.length).toBeGreaterThanOrEqual(before.length)
    expect(results.filter(({ weave_ref }) => !ids.has(weave_ref?.split('/').at(-1) ?? ''))).toEqual([])
    await Promise.all(written.filter(({ callId }) => ids.has(callId)).map((one) => expectWhatItNames(reader, one)))
  } finally {
    await stop(other)
  }
})

test('the server tells when the last backup was made', async () => {
  const before = new Date(Date.now() - 600_000).toISOString()
  const { last_backup, parts } = await client.service.storage()
  expect(last_backup!.ended_at > before).toBe(true)
  expect(last_backup!.bytes).toBeGreaterThan(1_000)
  expect(parts!.find(({ name }) => name === 'calls')!.bytes).toBeGreaterThan(0)
})

test('nothing is left behind in the data folder', async () => {
  expect(await readdir(copiesFolder(dataDir()))).toEqual([])
})

test('a changed byte, a missing file and an extra file are found anywhere', async () => {
  const files = await listFiles(at('first'))
  const count = trials({ usual: 3, long: 1_000 })
  for (let trial = 0; trial < count; trial++) {
    const path = join(at('first'), files[Math.floor((trial / count) * files.length)] ?? '')
    const bytes = await readFile(path)
    const damaged = Buffer.from(bytes)
    const position = (trial * 7_919) % Math.max(1, bytes.length)
    damaged[position] = (damaged[position] ?? 0) ^ (1 << (trial % 8))
    await writeFile(path, bytes.length === 0 ? 'x' : damaged)
    await expect(verify('first'), `${path} at ${position}`).rejects.toThrow(/damaged/)
    await writeFile(path, bytes)
  }
  const [first = ''] = files
  const bytes = await readFile(join(at('first'), first))
  await rm(join(at('first'), first))
  await expect(verify('first')).rejects.toThrow(/damaged/)
  await writeFile(join(at('first'), first), bytes)
  await writeFile(join(at('first'), 'tables', 'more'), '')
  await expect(verify('first')).rejects.toThrow(/tables\/more is not in the manifest/)
  await expect(restoreTo('first', 'never')).rejects.toThrow(/damaged/)
  await rm(join(at('first'), 'tables', 'more'))
  await verify('first')
})

test('an unfinished backup is not a backup', async () => {
  await mkdir(at('half'))
  await writeFile(join(at('half'), 'records.db'), '')
  await expect(verify('half')).rejects.toThrow(/no manifest.json: it is not a backup, or the backup did not finish/)
})

test.each(inject('long') ? ['restores into one folder that start at once'] : [])(
  'of %s, one makes it, whole, and the others leave nothing',
  async () => {
    const outcomes = await Promise.allSettled([1, 2].map(() => restoreTo('first', 'contested')))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const refused = outcomes.find((outcome) => outcome.status === 'rejected')
    expect(String(refused?.reason)).toMatch(/contested (?:is not empty|during the restore, so nothing was restored)/)
    expect((await readdir(folder)).filter((name) => name.startsWith('contested'))).toEqual(['contested'])
    // The restore has compared all with the backup before.
    await stop(await serve('contested'))
  },
)

test('of backups to one folder that start at once, one is complete', async () => {
  const outcomes = await Promise.allSettled([1, 2].map(() => backUp('contended')))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = outcomes.find((outcome) => outcome.status === 'rejected')
  expect(String(refused?.reason)).toMatch(/contended|another backup is copying tables/)
  await verify('contended')
})

test('neither a backup nor a restore writes into a folder that is not empty', async () => {
  await expect(backUp('half')).rejects.toThrow(/half is not empty \(records.db/)
  await expect(restoreTo('first', 'data')).rejects.toThrow(/data is not empty/)
  await expect(restoreTo('first', 'first')).rejects.toThrow(/first is not empty/)
})

test('a wrong or limited key cannot make a backup', async () => {
  await expect(backUp('wrong', { HEDDLE_API_KEY: 'another-key-that-nobody-knows' })).rejects.toThrow(/rejected the API key/)
  const key: NewKey = { name: 'of one entity', role: 'admin', entity: 'acme' }
  const { secret } = await withKeyStores(configurationOf(), ({ store }) => createIdentity({ store, clock: systemClock }).createKey(key))
  await expect(backUp('entity', { HEDDLE_API_KEY: secret })).rejects.toThrow(/a backup requires an admin key for all projects/)
})

test('a server of another data folder is rejected', async () => {
  await expect(backUp('other', { HEDDLE_DATA_DIR: at('restored') })).rejects.toThrow(/uses data folder .*data, not .*restored/)
})

test('external databases are named with their own backup tools', async () => {
  await expect(backUp('elsewhere', { HEDDLE_DATABASE_URL: 'postgres://a:b@c/d' })).rejects.toThrow(/pg_dump for PostgreSQL/)
})

test('a project is exported and imported by the commands', async () => {
  const options = { folder: at('export'), configuration: configurationOf(), terminal }
  await exportCommand({ ...options, project })
  await importCommand({ ...options, project: 'beta/copy' })
  const count = written.length
  expect(notes.at(-1)).toMatch(new RegExp(`^Imported acme/kept into beta/copy: .*${count} calls, ${count} feedback`))
  await expect(exportCommand({ ...options, project: 'beta' })).rejects.toThrow(/must be "entity\/project"/)
})

test('a backup without a server has what a killed server had acknowledged', async () => {
  const last = await write(99)
  await stop(server, 'SIGKILL')
  await backUp('second')
  await restoreTo('second', 'again')
  const other = await serve('again')
  try {
    const { client: reader } = await connect(configurationOf({ HEDDLE_DATA_DIR: at('again'), HEDDLE_PORT: portOf(other) }))
    const ids = (await callsOf(reader)).map(({ id }) => id)
    expect(ids.toSorted()).toEqual([...written, last].map(({ callId }) => callId).toSorted())
  } finally {
    await stop(other)
  }
})
