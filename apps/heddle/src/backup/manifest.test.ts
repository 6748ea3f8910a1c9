import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listFiles } from '../archive/hashed-files.ts'
import { type Manifest, readManifest, writeManifest } from './manifest.ts'

const hash = 'a'.repeat(64)
const manifest: Omit<Manifest, 'format'> = {
  version: '1.2.3',
  started_at: '2026-01-02T03:04:05.000Z',
  ended_at: '2026-01-02T03:04:06.000Z',
  tables: { calls: { rows: 3, parts: 1, digest: hash } },
  records: { projects: 1 },
  blobs: { count: 0, bytes: 0, digest: hash },
  files: [{ path: 'tables/calls/.backup', bytes: 3, sha256: hash }],
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-manifest-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a manifest is read as it was written', async () => {
  await writeManifest(folder, manifest)
  expect(await readManifest(folder)).toEqual({ format: 1, ...manifest })
})

test.each(['../calls', '/etc/passwd', 'a/../../b', 'a//b', './a', '', '..', 'a/\0'])('a file at %j is refused', async (path) => {
  await writeManifest(folder, { ...manifest, files: [{ path, bytes: 1, sha256: hash }] })
  await expect(readManifest(folder)).rejects.toThrow(/damaged: manifest.json: files.0.path/)
})

test('a newer format is refused', async () => {
  const newer: Manifest = { ...manifest, format: 2 }
  await writeManifest(folder, newer)
  await expect(readManifest(folder)).rejects.toThrow(/has backup format 2, but this version reads at most 1; use a newer version of heddle/)
})

test('a link is refused, since it may lead elsewhere', async () => {
  await symlink('/etc', join(folder, 'tables'))
  await expect(listFiles(folder)).rejects.toThrow(/tables is neither a file nor a folder/)
})
