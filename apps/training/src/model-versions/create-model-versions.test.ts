import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileBlobs } from '@heddle/datastore'
import '@heddle/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createScratch } from '../scratch.ts'
import { createModelVersions } from './create-model-versions.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(inject('storesFolder'), 'versions-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

let caches = 0
function newVersions(maxIdleBytes: number) {
  const own = join(folder, `cache-${caches++}`)
  const blobs = fileBlobs(join(folder, 'blobs'))
  const unloaded: string[] = []
  const engine = { unload: async (key: string) => void unloaded.push(key) }
  return {
    blobs,
    unloaded,
    own: join(own, 'checkpoints'),
    versions: createModelVersions({ blobs, engine, scratch: createScratch(own), maxIdleBytes }),
  }
}

const checkpointOf = async ({ blobs }: ReturnType<typeof newVersions>, step: number, text: string) => ({
  baseModel: 'base',
  checkpoint: { model_id: 'm', step, files: { 'weights.bin': await blobs.put(Buffer.from(text)) } },
})

test('the base model has no files, and neither has a checkpoint that changed nothing', async () => {
  const { versions } = newVersions(0)
  expect((await versions.hold({ baseModel: 'base', checkpoint: null })).version).toEqual({
    key: 'base/base/',
    baseModel: 'base',
    folder: null,
  })
  const untrained = { model_id: 'm', step: 0, files: {} }
  expect((await versions.hold({ baseModel: 'base', checkpoint: untrained })).version.folder).toBeNull()
})

test('files are brought once for all who hold them, and are removed when the bytes of those that nobody holds are too many', async () => {
  const cache = newVersions(10)
  const first = await checkpointOf(cache, 1, 'eight by')
  const [one, two] = await Promise.all([cache.versions.hold(first), cache.versions.hold(first)])
  expect(one.version).toEqual(two.version)
  expect(readFileSync(join(one.version.folder!, 'weights.bin'), 'utf8')).toBe('eight by')
  const other = await cache.versions.hold(await checkpointOf(cache, 2, 'eight more'))
  other.release()
  one.release()
  one.release()
  expect(existsSync(two.version.folder!)).toBe(true)
  two.release()
  await expect.poll(() => readdirSync(cache.own)).toHaveLength(1)
  expect(cache.unloaded).toEqual(['m/1/'])
})

test('a file that is damaged or missing is named, and stays as it is', async () => {
  const cache = newVersions(10)
  const damaged = await checkpointOf(cache, 3, 'good bytes')
  const { digest } = damaged.checkpoint.files['weights.bin']
  const path = join(folder, 'blobs', digest.slice(0, 2), digest.slice(2, 4), digest)
  writeFileSync(path, 'evil bytes')
  await expect(cache.versions.hold(damaged)).rejects.toMatchObject({ kind: 'damaged', message: expect.stringContaining('weights.bin') })
  expect(readFileSync(path, 'utf8')).toBe('evil bytes')
  rmSync(path)
  await expect(cache.versions.hold(damaged)).rejects.toMatchObject({ kind: 'damaged', message: expect.stringContaining('missing') })
  await cache.blobs.put(Buffer.from('good bytes'))
  const held = await cache.versions.hold(damaged)
  expect(readFileSync(join(held.version.folder!, 'weights.bin'), 'utf8')).toBe('good bytes')
})

test('what a model has here is forgotten with it', async () => {
  const cache = newVersions(1_000)
  const held = await cache.versions.hold(await checkpointOf(cache, 4, 'weights'))
  held.release()
  await cache.versions.forget('m', 4)
  expect(readdirSync(cache.own)).toEqual([])
  expect(cache.unloaded).toContain('m/4/')
})
