import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { serverWork } from '../work/work-scope.ts'
import { processLock } from '../locks/process-lock.ts'
import { startMinio } from '../testing/minio-server.ts'
import { externalS3, startS3Server } from '../testing/s3-server.ts'
import type { Blobs } from './blobs.ts'
import { fileBlobs } from './file-blobs.ts'
import { s3Blobs } from './s3-blobs.ts'
import type { S3Bucket } from './s3-requests.ts'
import { blobKey, sweepBlobs } from './sweep-blobs.ts'

interface Place {
  /** A separate store for each name. */
  open(name: string): Blobs
  /** Where contents wait in the store of that name. */
  stagingOf(name: string): string
  close(): Promise<void>
}

async function inFiles(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'heddle-blobs-'))
  return {
    open: (name) => fileBlobs(join(root, name)),
    stagingOf: (name) => join(root, name, 'incoming'),
    close: () => rm(root, { recursive: true }),
  }
}

async function inBucket(start: () => Promise<{ bucket: S3Bucket; close(): Promise<void> }>): Promise<Place> {
  const { bucket, close } = await start()
  const root = await mkdtemp(join(tmpdir(), 'heddle-blobs-'))
  return {
    open: (name) => s3Blobs({ ...bucket, prefix: `${name}/`, stagingDir: join(root, name) }),
    stagingOf: (name) => join(root, name),
    async close() {
      await rm(root, { recursive: true, force: true })
      await close()
    },
  }
}

const named = externalS3()
const places: [name: string, start: () => Promise<Place>][] = [
  ['files', inFiles],
  ['a small S3-compatible server', () => inBucket(startS3Server)],
  ...(named ? [['the bucket that the environment names', () => inBucket(() => named)] as [string, () => Promise<Place>]] : []),
  ...(inject('long') ? [['MinIO', () => inBucket(startMinio)] as [string, () => Promise<Place>]] : []),
]

async function bytesOf(stream: Readable | undefined): Promise<Buffer | undefined> {
  if (!stream) return undefined
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

async function* inParts(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

async function listed(blobs: Blobs): Promise<string[]> {
  const digests: string[] = []
  for await (const { digest } of blobs.list()) digests.push(digest)
  return digests.toSorted()
}

describe.each(places)('blobs in %s', (_name, start) => {
  let place: Place
  let blobs: Blobs
  beforeAll(async () => {
    place = await start()
    blobs = place.open('shared')
  }, 600_000)
  afterAll(() => place.close())

  test('content is read back as it was stored, whole or streamed, under its SHA-256', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), fc.integer({ min: 1, max: 700 }), async (content, size) => {
        const kept = await blobs.put(inParts(content, size))
        expect(kept).toEqual({ digest: createHash('sha256').update(content).digest('hex'), sizeBytes: content.length })
        expect(await blobs.put(content)).toEqual(kept)
        expect(await blobs.stat(kept.digest)).toEqual({ ...kept, keptAt: expect.any(Number) })
        expect((await bytesOf(await blobs.get(kept.digest)))?.equals(content)).toBe(true)
      }),
      { numRuns: trials({ usual: 10, long: 300 }) },
    )
  })

  test('long content survives a round trip', async () => {
    const content = Buffer.from(Uint8Array.from({ length: 5_000_001 }, (_, at) => (at * at) % 253))
    const { digest } = await blobs.put(inParts(content, 65_536))
    expect((await bytesOf(await blobs.get(digest)))?.equals(content)).toBe(true)
  })

  test.each([
    [{ start: 0 }, 'content'],
    [{ start: 3 }, 'tent'],
    [{ start: 1, end: 3 }, 'on'],
    [{ start: 2, end: 99 }, 'ntent'],
    [{ start: 0, end: 7 }, 'content'],
    [{ start: 4, end: 4 }, ''],
    [{ start: 99 }, ''],
  ])('the range %o of "content" is "%s"', async (range, expected) => {
    const { digest } = await blobs.put(Buffer.from('content'))
    expect((await bytesOf(await blobs.get(digest, range)))?.toString()).toBe(expected)
  })

  test('a missing blob is undefined, and deleting it does nothing', async () => {
    const { digest } = await blobs.put(Buffer.from('short-lived'))
    await blobs.delete(digest)
    await blobs.delete(digest)
    for (const range of [undefined, { start: 1 }, { start: 0, end: 0 }]) expect(await blobs.get(digest, range)).toBeUndefined()
    expect(await blobs.stat(digest)).toBeUndefined()
  })

  test.each(['../../etc/passwd', 'AB'.repeat(32), 'a'.repeat(63), `${'a'.repeat(63)}/`, '', `${'a'.repeat(64)}\n`, `../${'a'.repeat(61)}`])(
    'a digest like %j reaches nothing',
    async (digest) => {
      for (const use of [() => blobs.get(digest), () => blobs.stat(digest), () => blobs.delete(digest)])
        await expect((async () => use())()).rejects.toMatchObject({ kind: 'data' })
    },
  )

  test('staged content is not a blob until it is kept, and is gone when it is dropped', async () => {
    const own = place.open('staged')
    const staged = await own.stage(Buffer.from('wait'))
    expect(staged).toMatchObject({ digest: createHash('sha256').update('wait').digest('hex'), sizeBytes: 4 })
    expect(await own.stat(staged.digest)).toBeUndefined()
    expect(await readdir(place.stagingOf('staged'))).toHaveLength(1)
    for (const _ of [1, 2]) expect((await bytesOf(staged.read()))?.toString()).toBe('wait')
    await staged.drop()
    await staged.drop()
    expect(await readdir(place.stagingOf('staged'))).toEqual([])
    const kept = await own.stage(Buffer.from('wait'))
    await kept.keep()
    await kept.keep()
    await kept.drop()
    expect(await readdir(place.stagingOf('staged'))).toEqual([])
    expect((await bytesOf(await own.get(staged.digest)))?.toString()).toBe('wait')
  })

  test('a file is taken over without a copy where it is on the same disk, and is gone from its place', async () => {
    const own = place.open('files')
    const folder = await mkdtemp(join(tmpdir(), 'heddle-given-'))
    const path = join(folder, 'weights')
    await writeFile(path, 'of a model')
    const { ino } = await stat(path)
    const staged = await own.stageFile(path)
    expect(staged).toMatchObject({ digest: createHash('sha256').update('of a model').digest('hex'), sizeBytes: 10 })
    const [name = ''] = await readdir(place.stagingOf('files'))
    expect((await stat(join(place.stagingOf('files'), name))).ino).toBe(ino)
    expect(await readdir(folder)).toEqual([])
    await staged.keep()
    await staged.drop()
    expect((await bytesOf(await own.get(staged.digest)))?.toString()).toBe('of a model')
    await expect(own.stageFile(join(folder, 'none'))).rejects.toThrow()
    expect(await readdir(place.stagingOf('files'))).toEqual([])
    await rm(folder, { recursive: true })
  })

  test('a truncated stream leaves nothing behind', async () => {
    const own = place.open('broken')
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half')
      throw new Error('connection lost')
    }
    await expect(own.put(breaking())).rejects.toThrow('connection lost')
    expect(await readdir(place.stagingOf('broken'))).toEqual([])
    expect(await listed(own)).toEqual([])
  })

  test('concurrent writers of the same content all succeed and leave one blob', async () => {
    const own = place.open('together')
    const kept = await Promise.all(Array.from({ length: 20 }, () => own.put(Buffer.from('same'))))
    expect(new Set(kept.map((each) => each.digest)).size).toBe(1)
    expect(await listed(own)).toEqual([kept[0]?.digest])
  })

  test('the list has every blob of the store and of no other', async () => {
    const own = place.open('listed')
    expect(await listed(own)).toEqual([])
    const kept = await Promise.all(Array.from({ length: 30 }, (_, n) => own.put(Buffer.from(`blob ${n}`))))
    expect(await listed(own)).toEqual(kept.map(({ digest }) => digest).toSorted())
    for await (const blob of own.list()) {
      const { keptAt, ...found } = (await own.stat(blob.digest)) ?? { keptAt: 0 }
      expect(blob).toMatchObject(found)
      // Some stores return the time in seconds in one response and exactly in another.
      expect(Math.abs(blob.keptAt - keptAt)).toBeLessThan(1_000_000)
      expect(Math.abs(blob.keptAt - Date.now() * 1000)).toBeLessThan(60_000_000)
    }
  })

  test('the id of the store is kept beside the blobs and is not listed as one', async () => {
    expect(await blobs.storeId()).toBeUndefined()
    const ids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
    for (const id of ids) {
      await blobs.setStoreId(id)
      expect(await blobs.storeId()).toBe(id)
    }
    for await (const { digest } of blobs.list()) expect(digest).toMatch(/^[0-9a-f]{64}$/)
  })

  describe('a sweep', () => {
    const hour = 3_600_000_000
    const now = () => Date.now() * 1000
    const put = (blobs: Blobs, ...texts: string[]) => Promise.all(texts.map(async (text) => (await blobs.put(Buffer.from(text))).digest))
    const unreferenced = { locks: processLock(), graceMicros: hour, findReferenced: async () => new Set<string>() }

    test('deletes unreferenced blobs, and leaves the rest', async () => {
      const own = place.open('swept')
      const [lost = '', recorded = ''] = await put(own, 'lost', 'recorded')
      const findReferenced = async (digests: readonly string[]) => new Set(digests.filter((digest) => digest === recorded))
      const swept = await sweepBlobs({ ...unreferenced, blobs: own, findReferenced, now: now() + 2 * hour })
      expect(swept).toEqual({ examined: 2, deleted: 1, unfinished: 0 })
      expect(await listed(own)).toEqual([recorded])
      expect(await own.stat(lost)).toBeUndefined()
    })

    test('leaves blobs younger than the grace period', async () => {
      const own = place.open('young')
      await put(own, 'young')
      await own.stage(Buffer.from('arriving'))
      expect(await sweepBlobs({ ...unreferenced, blobs: own, now: now() })).toEqual({ examined: 1, deleted: 0, unfinished: 0 })
      expect(await listed(own)).toHaveLength(1)
      expect(await readdir(place.stagingOf('young'))).toHaveLength(1)
    })

    test('removes incomplete uploads of a killed server', async () => {
      const own = place.open('left')
      await own.stage(Buffer.from('half-way'))
      expect(await sweepBlobs({ ...unreferenced, blobs: own, now: now() + 2 * hour })).toMatchObject({ unfinished: 1 })
      expect(await readdir(place.stagingOf('left'))).toEqual([])
    })

    test('waits for a writer that is about to reference a blob, and then keeps it', async () => {
      const own = place.open('raced')
      const [digest = ''] = await put(own, 'raced')
      const locks = processLock()
      const recorded = new Set<string>()
      let sweeping: Promise<unknown> = Promise.resolve()
      let looked = () => {}
      const firstLook = new Promise<void>((resolve) => {
        looked = resolve
      })
      await locks.withKeys(serverWork, [blobKey(digest)], async () => {
        sweeping = sweepBlobs({
          blobs: own,
          locks,
          graceMicros: hour,
          now: now() + 2 * hour,
          async findReferenced() {
            looked()
            return new Set(recorded)
          },
        })
        await firstLook
        recorded.add(digest)
      })
      expect(await sweeping).toMatchObject({ deleted: 0 })
      expect(await listed(own)).toEqual([digest])
    })

    test('ends when its signal aborts', async () => {
      const own = place.open('ended')
      await put(own, 'one', 'two')
      const signal = AbortSignal.abort()
      expect(await sweepBlobs({ ...unreferenced, blobs: own, now: now() + 2 * hour, signal })).toMatchObject({ deleted: 0 })
      expect(await listed(own)).toHaveLength(2)
    })
  })
})
