import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, truncateSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { copySqlite } from '@heddle/datastore'
import { readSqlite } from '@heddle/datastore/testing'
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { change, copyFolder, flip, pageBytes, remove, zeroPage } from '../../testing/damage/change-files.ts'
import {
  type DamageCase,
  expectExamined,
  expectReadyWithDamage,
  expectRefused,
  serve,
  statusOf,
} from '../../testing/damage/examine-case.ts'

const apiKey = 'the-key-of-folders-that-are-damaged'
const project_id = 'dam/aged'
const content = Buffer.from('the content of a file, as it was stored')
const sha256 = createHash('sha256').update(content).digest('hex')

/** Rows that are acknowledged and not in their table yet when the server is killed. */
type Pending = 0 | 5 | 60

let folders: string
let fileDigest: string
const killed = new Map<Pending, Promise<string>>()

const environmentOf = (dataDir: string) => ({ HEDDLE_DATA_DIR: dataDir, HEDDLE_API_KEY: apiKey, HEDDLE_PORT: '0', HEDDLE_ONLY: 'tracing' })
const clientOf = (baseUrl: string) => createClient({ baseUrl, apiKey, contract: tracing, retries: 0 })
type Client = ReturnType<typeof clientOf>

function write(client: Client, count: number) {
  const batch = Array.from({ length: count }, () => {
    const id = randomUUID()
    const times = { started_at: '2026-01-05T00:00:00Z', ended_at: '2026-01-05T00:00:01Z' }
    return { project_id, id, trace_id: id, op_name: 'op', ...times, attributes: {}, inputs: {}, output: 1, summary: {} }
  })
  return client.calls.complete({ entity: 'dam', project: 'aged', batch })
}

async function readCalls(client: Client): Promise<number> {
  let count = 0
  for await (const _ of client.calls.streamQuery({ project_id })) count++
  return count
}

/** Waits until the server has noted the parts of the calls. */
async function partsNoted(dataDir: string): Promise<void> {
  const path = join(dataDir, 'engine', 'parts.json')
  const isNoted = () => existsSync(path) && readFileSync(path, 'utf8').includes('"calls"')
  await vi.waitUntil(isNoted, { timeout: 60_000, interval: 100 })
}

/** A data folder with records in the log, a part with 3 calls, and a journal. */
async function makeFolder(dataDir: string): Promise<void> {
  const server = await serve(environmentOf(dataDir))
  const client = clientOf(server.url)
  const file = { field: 'file', filename: 'a', content_type: 'text/plain', bytes: content }
  fileDigest = (await client.files.create({ project_id, files: [file] })).digest
  await write(client, 3)
  expect(await readCalls(client)).toBe(3)
  await partsNoted(dataDir)
  await endAtOnce(server, dataDir)
}

async function endAtOnce(server: Awaited<ReturnType<typeof serve>>, dataDir: string): Promise<void> {
  await server.end('SIGKILL')
  // The engine ends a moment after the server.
  await vi.waitUntil(() => !existsSync(join(dataDir, 'engine', 'engine.sock')), { timeout: 60_000, interval: 50 })
}

/** The same folder, after a server was killed that had acknowledged this many rows within the last moment. */
async function withPending(pending: Pending): Promise<string> {
  if (pending === 0) {
    const dataDir = join(folders, 'first')
    await makeFolder(dataDir)
    return dataDir
  }
  const first = await folderWith(0)
  for (let tries = 0; tries < 10; tries++) {
    const dataDir = copyFolder(first, folders)
    const server = await serve(environmentOf(dataDir))
    for (let left: number = pending; left > 0; left -= 5) await write(clientOf(server.url), 5)
    await endAtOnce(server, dataDir)
    // On a busy machine the rows may be in their table by then.
    if (journalFiles(dataDir).length > 0) return dataDir
  }
  throw new Error('the rows were in their table each time before the server was killed')
}

function folderWith(pending: Pending): Promise<string> {
  const made = killed.get(pending) ?? withPending(pending)
  killed.set(pending, made)
  return made
}

beforeAll(async () => {
  folders = mkdtempSync(join(tmpdir(), 'heddle-matrix-'))
  await folderWith(5)
}, 300_000)
afterAll(() => rm(folders, { recursive: true, force: true }))

const at = (dataDir: string, ...names: string[]) => join(dataDir, ...names)
const database = (dataDir: string) => at(dataDir, 'heddle.db')
const log = (dataDir: string) => at(dataDir, 'heddle.db-wal')
const commits = (dataDir: string) => at(dataDir, 'heddle.db-commits')
const blob = (dataDir: string) => at(dataDir, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
const calls = (dataDir: string) => realpathSync(at(dataDir, 'engine', 'store', 'data', 'heddle', 'calls'))
const part = (dataDir: string) => {
  const name = readdirSync(calls(dataDir)).find((each) => each.startsWith('202601_')) ?? ''
  return join(calls(dataDir), name)
}

function journalFiles(dataDir: string): string[] {
  const folder = at(dataDir, 'engine', 'journal', 'calls')
  return readdirSync(folder)
    .filter((name) => /\.(rows|blocks)$/.test(name))
    .map((name) => join(folder, name))
}

const onJournal = (kind: string, damage: (path: string) => void) => (dataDir: string) =>
  journalFiles(dataDir)
    .filter((path) => path.endsWith(kind))
    .forEach(damage)

/** Damages the database after all of its log has been moved to it. */
const onMoved = (damage: (path: string, dataDir: string) => void) => (dataDir: string) => {
  const moved = join(dataDir, 'moved.db')
  copySqlite(database(dataDir), moved)
  for (const path of [log(dataDir), `${database(dataDir)}-shm`]) remove(path)
  renameSync(moved, database(dataDir))
  damage(database(dataDir), dataDir)
}

/** The root page of a table or index of a database without a log. */
function rootOf(path: string, name: string): number {
  const rows = readSqlite(path, (file) => file.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').all(name))
  return (rows as { rootpage: number }[])[0]?.rootpage ?? 0
}

const zeroRootOf = (name: string) => onMoved((path) => zeroPage(path, rootOf(path, name)))

/** Changes a value in an index and not in its table. */
const changeKeyOf = (name: string) =>
  onMoved((path) => {
    const begin = (rootOf(path, name) - 1) * pageBytes
    change(path, (bytes) => {
      const last = bytes.subarray(begin, begin + pageBytes).findLastIndex((byte) => byte > 96 && byte < 122)
      bytes[begin + last] = (bytes[begin + last] ?? 0) ^ 1
    })
  })

interface Case extends DamageCase {
  /** Default 5. */
  pending?: Pending
  /** The damaged records are not copied, since they are as they were. */
  isUncopied?: boolean
  /** What reads of the file and of the calls are answered with. Default 200. */
  file?: 502
  calls?: 502
}

const isRefused = { doctor: /Records: .*damaged/, refused: /relational database .* is damaged.*nothing was written/s }
const isMissing = { doctor: /acknowledged (is|are) missing/, refused: /acknowledged (is|are) missing.*doctor --repair/s }
const isAlone = {
  doctor: /Stores: .*do not belong together.*doctor --repair/,
  refused: /do not belong together.*doctor --repair/s,
  isUncopied: true,
}
const badBlob = { log: /met damaged data/, file: 502 as const, isQuick: false }
const badPart = { log: /met damaged data/, calls: 502 as const, isQuick: false, doctor: /part \S+ of table calls is damaged/ }
const asidePart = { log: /table part is damaged/, doctor: /part \S+ of table calls is damaged/ }
const gonePart = { log: /table part is gone/, doctor: /part \S+ of table calls is gone with 3 rows/ }
const badJournal = { log: /journal is damaged/, doctor: /journal \d+ of table calls is damaged/ }
const notesOfParts = (dataDir: string) => at(dataDir, 'engine', 'parts.json')

const matrix: Record<string, Case> = {
  'the header of the database': { damage: onMoved((path) => flip(path, 0)), ...isRefused },
  'the schema of the database': { damage: onMoved((path) => change(path, (bytes) => bytes.fill(0, 100, 3_000))), ...isRefused },
  'a page of a table of the database': { damage: zeroRootOf('projects'), ...isRefused },
  'the page of the applied migrations of the database': { damage: zeroRootOf('kysely_migration'), ...isRefused },
  'a page of an index of the database': { damage: zeroRootOf('sqlite_autoindex_projects_1'), ...isRefused },
  'the database, which is cut off': { damage: onMoved((path) => truncateSync(path, 10 * pageBytes)), ...isRefused },
  'the database, which is empty': { damage: (dir) => truncateSync(database(dir)), ...isRefused },
  'the database, which is gone beside its log': { damage: (dir) => remove(database(dir)), ...isRefused },
  'the database, which is gone without a log': {
    damage: onMoved(remove),
    doctor: /Records: .*the file is missing, and .* has commit \d+ of it/,
    refused: /the file is missing.*doctor --repair/s,
  },
  'all files of the database, which are gone': {
    damage: onMoved((path, dir) => [path, commits(dir)].forEach(remove)),
    ...isAlone,
  },
  'the record of the commits of the database': {
    damage: (dir) => change(commits(dir), (bytes) => bytes.fill(1)),
    doctor: /Records: .*its record of commits .* is damaged/,
    refused: /its record of commits .* is damaged.*doctor --repair/s,
  },
  'the log at its start': { damage: (dir) => flip(log(dir), 0), ...isMissing },
  'the log in the middle': { damage: (dir) => flip(log(dir), 0.5), ...isMissing },
  'the log in its last tenth': { damage: (dir) => flip(log(dir), 0.95), ...isMissing },
  'the log, which is cut off': { damage: (dir) => truncateSync(log(dir), readFileSync(log(dir)).length - 50), ...isMissing },
  'the log, which is gone': { damage: (dir) => remove(log(dir)), ...isMissing },
  'the log of a database whose commits were not numbered': {
    damage: (dir) => {
      remove(commits(dir))
      flip(log(dir), 0.5)
    },
    doctor: /Records: .*heddle.db-wal is damaged.*commits behind/,
    refused: /heddle.db-wal is damaged.*doctor --repair/s,
  },
  'a blob with a flipped bit': { damage: (dir) => flip(blob(dir), 0.5), doctor: /Contents: blob \w+ is damaged/, ...badBlob },
  'a blob that is empty': { damage: (dir) => truncateSync(blob(dir)), doctor: /Contents: blob \w+ is damaged/, ...badBlob },
  'a blob that is gone': { damage: (dir) => remove(blob(dir)), doctor: /Contents: blob \w+ is missing/, ...badBlob, isQuick: true },
  'all blobs, which are gone': { damage: (dir) => remove(at(dir, 'blobs')), ...isAlone },
  'the data of a part': { damage: (dir) => flip(join(part(dir), 'data.bin'), 0.02), ...badPart },
  // The engine compares sizes when it starts, and sets the part aside.
  'the data of a part, which is cut off': { damage: (dir) => truncateSync(join(part(dir), 'data.bin'), 10), ...asidePart },
  'the list of columns of a part, which is gone': { damage: (dir) => remove(join(part(dir), 'columns.txt')), ...asidePart },
  'the number of rows of a part': { damage: (dir) => truncateSync(join(part(dir), 'count.txt')), ...asidePart },
  'the notes of parts': {
    damage: (dir) => truncateSync(notesOfParts(dir), 20),
    log: /notes of table parts are damaged/,
    doctor: /Tables: the notes of which parts there were cannot be read .*parts\.json\.damaged/,
  },
  ...Object.fromEntries(
    ([0, 5, 60] as const).flatMap((pending): [string, Case][] => [
      [`a part, which is gone, with ${pending} rows in the journal`, { pending, damage: (dir) => remove(part(dir)), ...gonePart }],
      [
        `the folder of the table of calls, which is gone, with ${pending} rows in the journal`,
        { pending, damage: (dir) => remove(calls(dir)), ...gonePart },
      ],
    ]),
  ),
  'a journal, which is gone': {
    damage: onJournal('', remove),
    log: /journal is damaged/,
    doctor: /journal \d+ of table calls is damaged \(all of its files are gone\): an unknown number of acknowledged rows missing/,
  },
  'the rows of a journal, which are gone': { damage: onJournal('.rows', remove), ...badJournal },
  'the rows of a journal with a flipped bit': {
    damage: onJournal('.rows', (path) => flip(path, 0.1)),
    log: /journal is damaged/,
    doctor: /journal \d+ of table calls is damaged \(checksum mismatch/,
  },
  'the rows of a journal, which are cut off': { damage: onJournal('.rows', (path) => truncateSync(path, 10)), ...badJournal },
  'the header of a journal': { damage: onJournal('.blocks', (path) => flip(path, 0.2)), ...badJournal },
  'the index of blocks of a journal, which is gone': { damage: onJournal('.blocks', remove), ...badJournal },
  'the index of a table with another value than the table': {
    damage: changeKeyOf('sqlite_autoindex_projects_1'),
    doctor: /Records: .*damaged: .*(missing from|out of order|wrong #)/,
    isQuick: false,
  },
}
const slice = ['the log in the middle', 'a blob with a flipped bit', 'the data of a part', 'all files of the database, which are gone']

test.each(Object.entries(matrix).filter(([name]) => inject('long') || slice.includes(name)))(
  'doctor and the server report damage to %s and how to recover',
  async (_, each) => {
    const { damage, refused, log: said, file = 200, calls: read = 200, pending = 5 } = each
    const dataDir = copyFolder(await folderWith(pending), folders)
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    damage(dataDir)
    await expectExamined(environmentOf(dataDir), each)
    if (refused) return expectRefused(environmentOf(dataDir), refused, !each.isUncopied)
    const server = await serve(environmentOf(dataDir))
    const client = clientOf(server.url)
    for (const _again of [1, 2]) {
      expect(await statusOf(client.files.content({ project_id, digest: fileDigest }))).toBe(file)
      expect(await statusOf(readCalls(client))).toBe(read)
    }
    if (said) await expectReadyWithDamage(server)
    await server.end('SIGTERM')
    if (said) expect(server.log()).toMatch(said)
    expect(server.log().match(/met damaged data/g)?.length ?? 0).toBeLessThanOrEqual(1)
  },
  300_000,
)
