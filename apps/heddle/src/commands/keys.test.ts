import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { lockFolder } from '@heddle/datastore'
import { smallFolder } from '@heddle/datastore/testing'
import Database from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { toConfiguration } from '../settings/configuration.ts'
import { createKey, listKeys, revokeKey, toNewKey } from './keys.ts'
import { toTerminal } from '../terminal/terminal.ts'

const now = 1_700_000_000_000_000

/** What commands need over a new data folder, with the lines that they print. The folder is removed after the test. */
function inNewFolder() {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-keys-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const lines: string[] = []
  const note = (text: string) => void lines.push(text)
  const terminal = toTerminal({ out: note, note, isInteractive: false, status: () => undefined })
  const deps = { configuration: toConfiguration({ environment: { HEDDLE_DATA_DIR: dataDir }, flags: {} }), terminal }
  return { dataDir, lines, deps }
}

test('options become what is wanted of a key', () => {
  const options = { name: 'ci', role: 'ingest', scope: ['write'], project: ['acme/a', 'acme/b=reader'], expiresInDays: '2' }
  expect(toNewKey(options, now)).toEqual({
    name: 'ci',
    role: 'ingest',
    scopes: ['write'],
    projects: [
      { project_id: 'acme/a', role: 'ingest' },
      { project_id: 'acme/b', role: 'reader' },
    ],
    expiresAt: now + 172_800_000_000,
  })
})

test.each([
  [{ record: true }, { trajectory_id: null, group_id: null }],
  [{ recordGroup: 'g' }, { trajectory_id: null, group_id: 'g' }],
  [
    { record: true, recordTrajectory: 't', recordGroup: 'g' },
    { trajectory_id: 't', group_id: 'g' },
  ],
  [{}, undefined],
])('%j: the chats of the key are recorded in %j', (options, recording) => {
  expect(toNewKey({ name: 'agent', role: 'writer', ...options }, now).recording).toEqual(recording)
})

test('where a key records chats is shown as it is made and listed, and an id that no header can have is refused', async () => {
  const { lines, deps } = inNewFolder()
  const key = { name: 'agent', role: 'writer' }
  await createKey({ ...key, recordGroup: 'nightly' }, deps)
  expect(lines[0]).toContain('writer of all projects, records conversations in group nightly')
  await createKey({ ...key, recordTrajectory: 'attempt-1', json: true }, deps)
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ recording: { trajectory_id: 'attempt-1', group_id: null } })
  await listKeys({}, deps)
  expect(lines.at(-1)).toMatch(/records trajectory attempt-1 [^]*records conversations in group nightly/)
  await expect(createKey({ ...key, recordGroup: 'a b' }, deps)).rejects.toThrow(
    'the group in which a key records must have 1 to 200 visible ASCII characters, got "a b"',
  )
})

test.each([
  [{ role: 'owner' }, /--role must be one of reader, writer, ingest, admin, got "owner"/],
  [{ scope: ['all'] }, /--scope must be one of read, write, destroy, got "all"/],
  [{ project: ['a/b=boss'] }, /the role in --project a\/b=boss must be .*, got "boss"/],
  [{ expiresInDays: '0' }, /--expires-in-days must be .*, got "0"/],
  [{ expiresInDays: '1.5' }, /--expires-in-days must be .*, got "1.5"/],
])('%j is refused', (options, message) => {
  expect(() => toNewKey({ name: 'ci', role: 'reader', ...options }, now)).toThrow(message)
})

test('keys that are made and revoked in the shell leave an entry in their projects, with who did it and where', async () => {
  const { dataDir, lines, deps } = inNewFolder()
  await createKey({ name: 'ci', role: 'reader', project: ['acme/a', 'acme/b'], json: true }, deps)
  const { id, secret } = JSON.parse(lines.join('')) as { id: string; secret: string }
  await revokeKey(id, { ...deps, endMade: true })
  expect(lines.at(-1)).toContain('revoked')
  const database = new Database(join(dataDir, 'heddle.db'))
  const entries = database
    .prepare('SELECT project_id, operation, details, user_id, key_id FROM audit_entries ORDER BY id, project_id')
    .all()
  database.close()
  const who = { user_id: `${userInfo().username}@${hostname()}`, key_id: 'shell' }
  const change = (operation: string) => ['acme/a', 'acme/b'].map((project_id) => ({ project_id, operation, ...who }))
  expect(entries).toMatchObject([...change('projectKeys.create'), ...change('projectKeys.revoke')])
  expect(JSON.stringify(entries)).toContain(id)
  expect(JSON.stringify(entries)).not.toContain(secret)
})

test('a database of an older version is migrated only where no server has the folder, and one of this version is used beside a server', async () => {
  const { dataDir, deps } = inNewFolder()
  const key = { name: 'ci', role: 'reader' }
  const path = join(dataDir, 'heddle.db')
  const held = await lockFolder({ folder: dataDir, mode: 'exclusive', purpose: 'heddle serve' })
  await expect(createKey(key, deps)).rejects.toThrow(/must be migrated .*first, and data folder .* is in use by .*heddle serve/)
  expect(existsSync(path)).toBe(false)
  held.release()
  await createKey(key, deps)

  const server = await lockFolder({ folder: dataDir, mode: 'exclusive', purpose: 'heddle serve' })
  await createKey(key, deps)
  const database = new Database(path)
  const last = 'SELECT name FROM kysely_migration ORDER BY name DESC LIMIT 1'
  const step = database.prepare(last).all()
  database.exec(`DELETE FROM kysely_migration WHERE name IN (${last})`)
  const before = database.prepare(last).all()
  await expect(listKeys({}, deps)).rejects.toThrow(/must be migrated .*is in use by .*heddle serve/)
  expect(database.prepare(last).all()).toEqual(before)
  expect(before).not.toEqual(step)
  database.close()
  server.release()
})

test('on a full disk no key is created, and those that are there can be listed and revoked', async (context) => {
  const dataDir = smallFolder()
  if (dataDir === undefined) return context.skip('only root may mount a folder of limited size')
  const lines: string[] = []
  const terminal = toTerminal({
    out: (text: string) => void lines.push(text),
    note: () => undefined,
    isInteractive: false,
    status: () => undefined,
  })
  const deps = { configuration: toConfiguration({ environment: { HEDDLE_DATA_DIR: dataDir }, flags: {} }), terminal }
  const create = () => createKey({ name: 'ci', role: 'reader' }, deps)
  const list = async () => {
    lines.length = 0
    await listKeys({ json: true }, deps)
    return JSON.parse(lines.join('')) as { id: string; revoked_at: string | null }[]
  }
  await create()
  const filler = join(dataDir, 'filler')
  // Less than must be left free, and more than the database needs to revoke a key.
  const { bavail, bsize } = statfsSync(dataDir)
  writeFileSync(filler, Buffer.alloc(bavail * bsize - (2 << 20)))
  await expect(create()).rejects.toMatchObject({
    name: 'StoreError',
    kind: 'full',
    message: expect.stringContaining('must leave 3.2 MiB free'),
  })
  const [key, ...others] = await list()
  expect(others).toEqual([])
  await revokeKey(key?.id ?? '', deps)
  expect(await list()).toMatchObject([{ revoked_at: expect.any(String) }])
  rmSync(filler)
  await create()
  expect(await list()).toHaveLength(2)
})
