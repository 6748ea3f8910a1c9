import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { Kysely, sql as statement, SqliteDialect } from 'kysely'
import Libsql from 'libsql'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { type Database, openSqlite } from '../database.ts'
import { copySqlite } from '../sqlite-copy.ts'
import { commitRecordPath } from './commit-record.ts'

const pageBytes = 4096
const projects = 60

/** A folder as a killed server leaves it: all rows acknowledged, and most of them in the log alone. */
let killed: string
/** The same with all of the log moved to the database. */
let moved: string
let folders: string

const aProject = (number: number) => ({
  id: `entity/${number}`,
  internal_id: `internal-${number}`,
  entity: 'entity',
  name: `${number}`,
  created_at: number,
})
const add = (database: Database, number: number) => database.insertInto('projects').values(aProject(number)).execute()
const count = async (database: Database) => (await database.selectFrom('projects').select('id').execute()).length

beforeAll(async () => {
  folders = mkdtempSync(join(tmpdir(), 'heddle-damaged-sqlite-'))
  const live = join(folders, 'live')
  const database = await openSqlite(join(live, 'heddle.db'))
  for (let number = 0; number < projects; number++) await add(database, number)
  killed = join(folders, 'killed')
  cpSync(live, killed, { recursive: true })
  await statement`PRAGMA wal_checkpoint(TRUNCATE)`.execute(database)
  moved = join(folders, 'moved')
  cpSync(live, moved, { recursive: true })
  await database.destroy()
})
afterAll(() => rm(folders, { recursive: true }))

function aFolder(from = killed): string {
  const folder = mkdtempSync(join(folders, 'case-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  cpSync(from, folder, { recursive: true })
  return folder
}

const database = (folder: string) => join(folder, 'heddle.db')
const log = (folder: string) => join(folder, 'heddle.db-wal')

function change(path: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path)
  edit(bytes)
  writeFileSync(path, bytes)
}

const flip = (path: string, share: number) =>
  change(path, (bytes) => {
    const at = Math.min(bytes.length - 1, Math.floor(bytes.length * share))
    bytes[at] = (bytes[at] ?? 0) ^ 1
  })

const checkpointed = () => aFolder(moved)

const zeroPage = (folder: string, page: number) =>
  change(database(folder), (bytes) => bytes.fill(0, (page - 1) * pageBytes, page * pageBytes))

/** The root page of a table or index. */
function rootOf(folder: string, name: string): number {
  const file = new Libsql(database(folder), { readonly: true })
  const [row] = file.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').all(name) as { rootpage: number }[]
  file.close()
  return row?.rootpage ?? 0
}

const filesOf = (folder: string) =>
  Object.fromEntries(['heddle.db', 'heddle.db-wal', 'heddle.db-commits'].map((name) => [name, digestOf(join(folder, name))]))

/** A reader makes an empty log if there is no log. */
function digestOf(path: string): string {
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  return createHash('sha256').update(bytes).digest('hex')
}

describe.each<[string, () => string, RegExp]>([
  ['the header of the file', () => damaged(checkpointed(), (folder) => flip(database(folder), 0)), /not a database/],
  [
    'the page of the schema',
    () => damaged(checkpointed(), (folder) => change(database(folder), (b) => b.fill(0, 100, 3000))),
    /malformed|damaged/,
  ],
  ['a page of a table', () => damaged(checkpointed(), (folder) => zeroPage(folder, rootOf(folder, 'projects'))), /malformed|Tree \d+/],
  [
    'the page of the list of migrations',
    () => damaged(checkpointed(), (folder) => zeroPage(folder, rootOf(folder, 'kysely_migration'))),
    /malformed|Tree \d+/,
  ],
  [
    'a page of an index',
    () => damaged(checkpointed(), (folder) => zeroPage(folder, rootOf(folder, 'sqlite_autoindex_projects_1'))),
    /malformed|Tree \d+/,
  ],
  [
    'the end of the file, which is cut off',
    () => damaged(checkpointed(), (folder) => truncateSync(database(folder), 20 * pageBytes)),
    /malformed|Tree \d+/,
  ],
  ['all of the file, which is empty', () => damaged(checkpointed(), (folder) => truncateSync(database(folder))), /is empty/],
  ['the file, which is gone', () => damaged(aFolder(), (folder) => rmSync(database(folder))), /the file is missing, and its log is there/],
  [
    'the file, which is gone without a log',
    () => damaged(checkpointed(), (folder) => [database(folder), log(folder)].forEach((path) => rmSync(path, { force: true }))),
    /the file is missing, and .*heddle\.db-commits has commit \d+ of it/,
  ],
  [
    'the file, which is empty beside its log and without a record',
    () =>
      damaged(aFolder(), (folder) => {
        truncateSync(database(folder))
        rmSync(commitRecordPath(database(folder)))
      }),
    /is empty/,
  ],
])('damage to %s', (_, make, reason) => {
  test('is refused by name before anything is written, with a copy of the files and the way out', async () => {
    const folder = make()
    const before = filesOf(folder)
    const refused = await openSqlite(database(folder)).then(
      () => 'opened',
      (error: unknown) => error,
    )
    expect(refused).toMatchObject({ name: 'StoreError', kind: 'failed', message: expect.stringMatching(reason) })
    expect(String(refused)).toContain(`${database(folder)} is damaged`)
    expect(String(refused)).toContain('heddle restore')
    expect(filesOf(folder)).toEqual(before)
    const [kept] = readdirSync(join(folder, 'damaged'))
    expect(filesOf(join(folder, 'damaged', kept ?? ''))).toEqual(before)
  })
})

function damaged(folder: string, damage: (folder: string) => void): string {
  damage(folder)
  return folder
}

const logDamages: [string, (folder: string) => void][] = [
  ['a flipped bit in its header', (folder) => flip(log(folder), 0)],
  ['a flipped bit in its first frame', (folder) => change(log(folder), (bytes) => (bytes[100] = (bytes[100] ?? 0) ^ 1))],
  ['a flipped bit in the middle', (folder) => flip(log(folder), 0.5)],
  ['a flipped bit in its last tenth', (folder) => flip(log(folder), 0.95)],
  ['a flipped bit in its last byte', (folder) => flip(log(folder), 1)],
  ['its last bytes cut off', (folder) => truncateSync(log(folder), readFileSync(log(folder)).length - 100)],
  ['half of it cut off', (folder) => truncateSync(log(folder), readFileSync(log(folder)).length / 2)],
  ['all of it cut off', (folder) => truncateSync(log(folder))],
  ['its removal', (folder) => rmSync(log(folder))],
]

test.each(logDamages)('a log with %s is refused: acknowledged commits are missing', async (_, damage) => {
  const folder = damaged(aFolder(), damage)
  const before = filesOf(folder)
  await expect(openSqlite(database(folder))).rejects.toThrow(/acknowledged (is|are) missing[^]*heddle doctor --repair/)
  await expect(openSqlite(database(folder), { examines: 'commits' })).rejects.toThrow(/acknowledged (is|are) missing/)
  expect(() => copySqlite(database(folder), join(folder, 'copy.db'))).toThrow(/acknowledged (is|are) missing/)
  expect(filesOf(folder)).toEqual(before)
  const kept = readdirSync(join(folder, 'damaged'))
  expect(kept).toHaveLength(1)
  expect(filesOf(join(folder, 'damaged', kept[0] ?? ''))).toEqual(before)
})

test('an operator may continue without the missing commits, and the next ones are counted again', async () => {
  const folder = damaged(aFolder(), (each) => flip(log(each), 0.7))
  const continued = await openSqlite(database(folder), { acceptsMissingCommits: true })
  const left = await count(continued)
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(projects)
  await add(continued, 1_000)
  const again = aFolder(folder)
  await continued.destroy()
  rmSync(log(again))
  await expect(openSqlite(database(again))).rejects.toThrow(/acknowledged (is|are) missing/)
})

test('whatever bit of the log is flipped, either every acknowledged row is there or the start is refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(7), async (share, bit) => {
      const folder = mkdtempSync(join(folders, 'flip-'))
      cpSync(killed, folder, { recursive: true })
      change(log(folder), (bytes) => {
        const at = Math.min(bytes.length - 1, Math.floor(share * bytes.length))
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
      })
      const opened = await openSqlite(database(folder)).catch((error: unknown) => String(error))
      if (typeof opened === 'string') expect(opened).toContain('is damaged')
      else {
        expect(await count(opened)).toBe(projects)
        await opened.destroy()
      }
      rmSync(folder, { recursive: true })
    }),
    { numRuns: inject('long') ? 500 : 15 },
  )
}, 300_000)

describe('a log of a version that did not number its commits', () => {
  /** The killed folder without the record of commits. */
  function unnumbered(): string {
    const folder = aFolder()
    rmSync(commitRecordPath(database(folder)))
    return folder
  }

  test('is refused where two commits or more are behind its damage, and lacks the last one at most where it opens', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(7), async (share, bit) => {
        const folder = unnumbered()
        change(log(folder), (bytes) => {
          const at = Math.min(bytes.length - 1, Math.floor(share * bytes.length))
          bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
        })
        const before = filesOf(folder)
        const opened = await openSqlite(database(folder)).catch((error: unknown) => String(error))
        if (typeof opened === 'string') {
          expect(opened).toMatch(/its log .*heddle.db-wal is damaged.*doctor --repair/s)
          expect(filesOf(folder)).toEqual(before)
        } else {
          expect(await count(opened)).toBeGreaterThanOrEqual(projects - 1)
          await opened.destroy()
        }
      }),
      { numRuns: inject('long') ? 500 : 15 },
    )
  }, 300_000)

  test('raises no alarm where frames of an earlier log are behind it, or a power cut tore its last commit', async () => {
    const folder = aFolder()
    const live = await openSqlite(database(folder))
    const other = new Libsql(database(folder))
    other.pragma('wal_checkpoint(RESTART)')
    other.close()
    for (const number of [1, 2, 3]) await add(live, projects + number)
    const restarted = aFolder(folder)
    await live.destroy()
    expect(readFileSync(log(restarted)).length).toBeGreaterThan(20 * pageBytes)
    const torn = unnumbered()
    change(log(torn), (bytes) => bytes.fill(0, bytes.length - 100))
    for (const each of [restarted, torn]) {
      rmSync(commitRecordPath(database(each)), { force: true })
      await (await openSqlite(database(each))).destroy()
    }
  })

  test('is read up to its damage where an operator accepts that, also where that is in the middle of migrations', async () => {
    for (let share = 0; share < 0.95; share += 0.05) {
      const folder = unnumbered()
      flip(log(folder), share)
      const opened = await openSqlite(database(folder), { acceptsMissingCommits: true })
      expect(await count(opened)).toBeLessThan(projects)
      await opened.destroy()
    }
  })
})

test('a record of commits that cannot be read is refused by name, and one of zeros is new', async () => {
  const folder = aFolder()
  change(commitRecordPath(database(folder)), (bytes) => bytes.fill(7))
  await expect(openSqlite(database(folder))).rejects.toThrow(/its record of commits .* is damaged/)
  change(commitRecordPath(database(folder)), (bytes) => bytes.fill(0))
  await (await openSqlite(database(folder))).destroy()
})

test('a folder as a kill leaves it at any moment opens with every acknowledged row, also after a log was started again', async () => {
  const folder = aFolder()
  const live = await openSqlite(database(folder))
  const moments: { copy: string; rows: number }[] = []
  const file = new Libsql(database(folder))
  for (let number = projects; number < projects + 40; number++) {
    await add(live, number)
    if (number % 8 === 0) file.pragma('wal_checkpoint(RESTART)')
    moments.push({ copy: aFolder(folder), rows: number + 1 })
  }
  file.close()
  await live.destroy()
  for (const { copy, rows } of inject('long') ? moments : moments.filter((_, at) => at % 7 === 0)) {
    const opened = await openSqlite(database(copy))
    expect(await count(opened)).toBe(rows)
    await opened.destroy()
  }
})

test('a kill between a commit and its record, and one that cuts the record short, raise no alarm', async () => {
  const folder = aFolder()
  const before = readFileSync(commitRecordPath(database(folder)))
  const live = await openSqlite(database(folder))
  await add(live, projects)
  const behind = aFolder(folder)
  writeFileSync(commitRecordPath(database(behind)), before)
  const cut = aFolder(folder)
  change(commitRecordPath(database(cut)), (bytes) => bytes.fill(0, 40, 200))
  await live.destroy()
  for (const each of [behind, cut]) {
    const opened = await openSqlite(database(each))
    expect(await count(opened)).toBe(projects + 1)
    await opened.destroy()
  }
})

test('another program may move the log to the database, and commits that nobody counted are no loss', async () => {
  const folder = aFolder()
  const other = new Libsql(database(folder))
  other.exec("UPDATE projects SET name = 'changed'")
  other.pragma('wal_checkpoint(TRUNCATE)')
  other.close()
  rmSync(log(folder), { force: true })
  const opened = await openSqlite(database(folder))
  expect(await count(opened)).toBe(projects)
  await opened.destroy()
})

test('a database of a version that did not count opens, and counts from then on', async () => {
  const folder = mkdtempSync(join(folders, 'before-'))
  const before = new Kysely<Record<string, never>>({ dialect: new SqliteDialect({ database: new Libsql(database(folder)) }) })
  await before.destroy()
  const opened = await openSqlite(database(folder))
  await add(opened, 1)
  const copy = aFolder(folder)
  await opened.destroy()
  rmSync(log(copy))
  await expect(openSqlite(database(copy))).rejects.toThrow(/acknowledged/)
})

test('a copy of the database in another folder needs no record', async () => {
  const folder = aFolder()
  const other = mkdtempSync(join(folders, 'restored-'))
  copySqlite(database(folder), database(other))
  const opened = await openSqlite(database(other))
  expect(await count(opened)).toBe(projects)
  await opened.destroy()
})

test('writes of statements that failed and of transactions that were rolled back are not counted, and those after them are', async () => {
  const folder = aFolder()
  const live = await openSqlite(database(folder))
  await expect(add(live, 0)).rejects.toThrow(/UNIQUE/)
  await live
    .transaction()
    .execute(async (transaction) => {
      await add(transaction, 5_000)
      throw new Error('changed my mind')
    })
    .catch(() => undefined)
  await live.connection().execute(async (connection) => {
    await add(connection, 5_001)
    await add(connection, 0).catch(() => undefined)
    await add(connection, 5_002)
  })
  await Promise.all([5_003, 5_004, 5_005].map((number) => add(live, number)))
  const copy = aFolder(folder)
  await live.destroy()
  const opened = await openSqlite(database(copy))
  expect(await count(opened)).toBe(projects + 5)
  await opened.destroy()
})
