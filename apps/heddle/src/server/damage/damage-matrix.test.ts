import { createHash, randomUUID } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { copySqlite } from '@heddle/datastore'
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { runCommand, startCommand } from '../../testing/run-command.ts'

const apiKey = 'the-key-of-folders-that-are-damaged'
const project_id = 'dam/aged'
const content = Buffer.from('the content of a file, as it was stored')
const sha256 = createHash('sha256').update(content).digest('hex')

let folders: string
/** A data folder as a killed server leaves it: records in the log, parts of tables, and rows in the journal. */
let killed: string
let fileDigest: string

const environmentOf = (dataDir: string) => ({ HEDDLE_DATA_DIR: dataDir, HEDDLE_API_KEY: apiKey, HEDDLE_PORT: '0', HEDDLE_ONLY: 'tracing' })
const clientOf = (baseUrl: string) => createClient({ baseUrl, apiKey, contract: tracing, retries: 0 })

async function serve(dataDir: string) {
  const server = startCommand(['serve'], environmentOf(dataDir))
  await server.said('Any program')
  const url = /ready at (\S+)/.exec(server.out())?.[1] ?? ''
  const end = async (signal: NodeJS.Signals) => {
    server.child.kill(signal)
    await server.ended
  }
  return { url, client: clientOf(url), log: server.note, end }
}

const write = (client: ReturnType<typeof clientOf>, ids: readonly string[]) =>
  Promise.all(
    ids.map((id) =>
      client.calls.start({
        start: { project_id, id, trace_id: id, op_name: 'op', started_at: '2026-01-05T00:00:00Z', attributes: {}, inputs: {} },
      }),
    ),
  )

/** Waits until the server has noted the parts of the calls. */
async function partsNoted(dataDir: string): Promise<void> {
  const path = join(dataDir, 'engine', 'parts.json')
  const isNoted = () => existsSync(path) && readFileSync(path, 'utf8').includes('"calls"')
  await vi.waitUntil(isNoted, { timeout: 60_000, interval: 100 })
}

beforeAll(async () => {
  folders = mkdtempSync(join(tmpdir(), 'heddle-matrix-'))
  killed = join(folders, 'killed')
  const server = await serve(killed)
  fileDigest = (
    await server.client.files.create({ project_id, files: [{ field: 'file', filename: 'a', content_type: 'text/plain', bytes: content }] })
  ).digest
  await write(server.client, [randomUUID(), randomUUID(), randomUUID()])
  expect(await readCalls(server.client)).toBe(3)
  await partsNoted(killed)
  // These stay in the journal: they are acknowledged, and not in their table half a second before.
  for (const _ of [1, 2, 3]) await write(server.client, [randomUUID()])
  await server.end('SIGKILL')
  // The engine ends a moment after the server.
  await vi.waitUntil(() => !existsSync(join(killed, 'engine', 'engine.sock')), { timeout: 60_000, interval: 50 })
}, 300_000)
afterAll(() => rm(folders, { recursive: true, force: true }))

const at = (dataDir: string, ...names: string[]) => join(dataDir, ...names)
const database = (dataDir: string) => at(dataDir, 'heddle.db')
const log = (dataDir: string) => at(dataDir, 'heddle.db-wal')
const blob = (dataDir: string) => at(dataDir, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
const calls = (dataDir: string) => realpathSync(at(dataDir, 'engine', 'store', 'data', 'heddle', 'calls'))
const part = (dataDir: string) => {
  const name = readdirSync(calls(dataDir)).find((each) => each.startsWith('202601_')) ?? ''
  return join(calls(dataDir), name)
}

const journalFiles = (dataDir: string) => {
  const folder = at(dataDir, 'engine', 'journal', 'calls')
  return readdirSync(folder)
    .filter((name) => /\.(rows|blocks)$/.test(name))
    .map((name) => join(folder, name))
}

function flip(path: string, share: number): void {
  const bytes = readFileSync(path)
  const place = Math.min(bytes.length - 1, Math.floor(bytes.length * share))
  bytes[place] = (bytes[place] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

interface Case {
  damage: (dataDir: string) => unknown
  /** What doctor says of it. */
  doctor: RegExp
  /** What a start that is refused says; absent where the server starts. */
  refused?: RegExp
  /** What the log of a server that starts says, at the start or once the damage is read. */
  log?: RegExp
  /** What reads of the file and of the calls are answered with. */
  file?: 200 | 502
  calls?: 200 | 502
}

/** Damages the database after all of its log has been moved to it. */
function onMoved(dataDir: string, damage: () => void): void {
  const moved = join(dataDir, 'moved.db')
  copySqlite(database(dataDir), moved)
  rmSync(log(dataDir))
  rmSync(`${database(dataDir)}-shm`, { force: true })
  renameSync(moved, database(dataDir))
  damage()
}

const isRefused = { doctor: /Records: .*damaged/, refused: /relational database .* is damaged.*nothing was written/s }
const isMissing = { doctor: /acknowledged (is|are) missing/, refused: /acknowledged (is|are) missing.*doctor --repair/s }
const badBlob = { log: /met damaged data/, file: 502 as const, calls: 200 as const }
const badPart = { log: /met damaged data/, file: 200 as const, calls: 502 as const, doctor: /part \S+ of table calls is damaged/ }

const matrix: Record<string, Case> = {
  'the header of the database': { damage: (dir) => onMoved(dir, () => flip(database(dir), 0)), ...isRefused },
  'the database, which is cut off': { damage: (dir) => onMoved(dir, () => truncateSync(database(dir), 10 * 4_096)), ...isRefused },
  'the database, which is empty': { damage: (dir) => truncateSync(database(dir)), ...isRefused },
  'the log at its start': { damage: (dir) => flip(log(dir), 0), ...isMissing },
  'the log in the middle': { damage: (dir) => flip(log(dir), 0.5), ...isMissing },
  'the log in its last tenth': { damage: (dir) => flip(log(dir), 0.95), ...isMissing },
  'the log, which is cut off': { damage: (dir) => truncateSync(log(dir), readFileSync(log(dir)).length - 50), ...isMissing },
  'the log, which is gone': { damage: (dir) => rmSync(log(dir)), ...isMissing },
  'a blob with a flipped bit': { damage: (dir) => flip(blob(dir), 0.5), doctor: /Contents: blob \w+ is damaged/, ...badBlob },
  'a blob that is empty': { damage: (dir) => truncateSync(blob(dir)), doctor: /Contents: blob \w+ is damaged/, ...badBlob },
  'a blob that is gone': { damage: (dir) => rmSync(blob(dir)), doctor: /Contents: blob \w+ is missing/, ...badBlob },
  'the data of a part': { damage: (dir) => flip(join(part(dir), 'data.bin'), 0.02), ...badPart },
  // The engine compares sizes when it starts, and sets the part aside.
  'the data of a part, which is cut off': {
    damage: (dir) => truncateSync(join(part(dir), 'data.bin'), 10),
    doctor: /part \S+ of table calls is damaged/,
    log: /table part is damaged/,
    file: 200,
    calls: 200,
  },
  'the folder of the table of calls, which is gone': {
    damage: (dir) => rmSync(calls(dir), { recursive: true }),
    doctor: /part \S+ of table calls is gone with 3 rows/,
    log: /table part is gone/,
    file: 200,
    calls: 200,
  },
  'a journal, which is gone': {
    damage: (dir) => journalFiles(dir).forEach((path) => rmSync(path)),
    doctor: /journal \d+ of table calls is damaged \(all of its files are gone\): an unknown number of acknowledged rows missing/,
    log: /journal is damaged/,
    file: 200,
    calls: 200,
  },
  'a journal, which has a flipped bit': {
    damage: (dir) => journalFiles(dir).forEach((path) => path.endsWith('.rows') && flip(path, 0.1)),
    doctor: /journal \d+ of table calls is damaged \(checksum mismatch/,
    log: /journal is damaged/,
    file: 200,
    calls: 200,
  },
  'a journal, which is cut off': {
    damage: (dir) => journalFiles(dir).forEach((path) => path.endsWith('.rows') && truncateSync(path, 10)),
    doctor: /journal \d+ of table calls is damaged/,
    log: /journal is damaged/,
    file: 200,
    calls: 200,
  },
  'a part, which is gone': {
    damage: (dir) => rmSync(part(dir), { recursive: true }),
    doctor: /part \S+ of table calls is gone with 3 rows/,
    log: /table part is gone/,
    file: 200,
    calls: 200,
  },
  'the checksums of a part': {
    damage: (dir) => rmSync(join(part(dir), 'columns.txt')),
    doctor: /part \S+ of table calls is damaged/,
    log: /table part is damaged/,
    file: 200,
    calls: 200,
  },
}
const slice = ['the log in the middle', 'a blob with a flipped bit', 'the data of a part']

test.each(Object.entries(matrix).filter(([name]) => inject('long') || slice.includes(name)))(
  'doctor and the server report damage to %s and how to recover',
  async (_, { damage, doctor, refused, log: said, file, calls: read }) => {
    const dataDir = mkdtempSync(join(folders, 'case-'))
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    cpSync(killed, dataDir, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.sock') })
    await damage(dataDir)

    const examined = await runCommand(['doctor', '--url', 'http://127.0.0.1:9'], environmentOf(dataDir))
    expect(examined.out).toMatch(doctor)
    expect(examined.out).toMatch(/→ .*(backup|repair)/)
    expect(examined.out + examined.note).not.toMatch(/\n\s+at /)
    expect(examined.code).toBe(1)

    if (refused) {
      const start = await runCommand(['serve'], environmentOf(dataDir))
      expect(start.code).not.toBe(0)
      expect(start.note).toMatch(refused)
      expect(start.note).not.toMatch(/\n\s+at /)
      return
    }
    const server = await serve(dataDir)
    const statusOf = (work: Promise<unknown>) =>
      work.then(
        () => 200,
        (error: { status?: number; message: string }) => {
          expect(error.message).toMatch(/damaged.*heddle doctor/s)
          return error.status
        },
      )
    for (const _again of [1, 2]) {
      expect(await statusOf(server.client.files.content({ project_id, digest: fileDigest }))).toBe(file)
      expect(await statusOf(readCalls(server.client))).toBe(read)
    }
    const ready = await fetch(`${server.url}/readyz`)
    expect([ready.status, ((await ready.json()) as { parts: { damage?: string } }).parts.damage]).toEqual([
      200,
      expect.stringMatching(/damaged; run heddle doctor/),
    ])
    await server.end('SIGTERM')
    if (said) expect(server.log()).toMatch(said)
    expect(server.log().match(/met damaged data/g)?.length ?? 0).toBeLessThanOrEqual(1)
  },
  300_000,
)

async function readCalls(client: ReturnType<typeof clientOf>): Promise<number> {
  let count = 0
  for await (const _ of client.calls.streamQuery({ project_id })) count++
  return count
}
