import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { smallFolder } from '@heddle/datastore/testing'
import { expect, test } from 'vitest'
import { toConfiguration } from '../settings/configuration.ts'
import { createKey, listKeys, revokeKey, toNewKey } from './keys.ts'

const now = 1_700_000_000_000_000

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
  [{ role: 'owner' }, /--role must be one of reader, writer, ingest, admin, got "owner"/],
  [{ scope: ['all'] }, /--scope must be one of read, write, destroy, got "all"/],
  [{ project: ['a/b=boss'] }, /the role in --project a\/b=boss must be .*, got "boss"/],
  [{ expiresInDays: '0' }, /--expires-in-days must be .*, got "0"/],
  [{ expiresInDays: '1.5' }, /--expires-in-days must be .*, got "1.5"/],
])('%j is refused', (options, message) => {
  expect(() => toNewKey({ name: 'ci', role: 'reader', ...options }, now)).toThrow(message)
})

test('on a full disk no key is created, and those that are there can be listed and revoked', async (context) => {
  const dataDir = smallFolder()
  if (dataDir === undefined) return context.skip('only root may mount a folder of limited size')
  const lines: string[] = []
  const terminal = { out: (text: string) => void lines.push(text), note: () => undefined, isInteractive: false, status: () => undefined }
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
