import { createHash } from 'node:crypto'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startS3Server } from '../testing/s3-server.ts'
import type { StoreError } from '../work/store-error.ts'
import type { Blobs } from './blobs.ts'
import { fileBlobs } from './file-blobs.ts'
import { s3Blobs } from './s3-blobs.ts'
import { s3Requests } from './s3-requests.ts'

interface Place {
  /** Blobs of a process that has read none of them yet. */
  open(onDamage?: (error: StoreError) => void): Blobs
  /** Puts other bytes in the place of a blob. */
  overwrite(digest: string, content: Uint8Array): Promise<void>
  close(): Promise<void>
}

async function inFiles(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'heddle-damaged-blobs-'))
  return {
    open: (onDamage) => fileBlobs(root, { ...(onDamage && { onDamage }) }),
    async overwrite(digest, content) {
      const path = join(root, digest.slice(0, 2), digest.slice(2, 4), digest)
      await writeFile(path, content)
      // A file system may not tell two writes of one moment apart.
      await utimes(path, new Date(), new Date(Date.now() + 5_000))
    },
    close: () => rm(root, { recursive: true }),
  }
}

async function inBucket(): Promise<Place> {
  const { bucket, close } = await startS3Server()
  const root = await mkdtemp(join(tmpdir(), 'heddle-damaged-blobs-'))
  return {
    open: (onDamage) => s3Blobs({ ...bucket, prefix: 'p/', stagingDir: join(root, 'incoming'), ...(onDamage && { onDamage }) }),
    async overwrite(digest, content) {
      const path = join(root, 'other')
      await writeFile(path, content)
      const file = { path, sizeBytes: content.length, digest: createHash('sha256').update(content).digest('hex') }
      await (await s3Requests(bucket).send({ method: 'PUT', key: `p/${digest}`, file })).text()
    },
    async close() {
      await rm(root, { recursive: true })
      await close()
    },
  }
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(Buffer.from(part as Uint8Array))
  return Buffer.concat(parts)
}

const sizes = { short: 500, 'one MiB long': 2 ** 20, long: 3_500_000 }
let made = 0
const aContent = (size: number) => {
  const seed = ++made
  const content = Buffer.alloc(size)
  for (let at = 0; at < size; at++) content[at] = (at * (seed + 13) + (at >> 8)) % 251
  return content
}

const flipped = (content: Buffer, at: number) => {
  const other = Buffer.from(content)
  other[at] = (other[at] ?? 0) ^ 1
  return other
}

const damages: [string, (content: Buffer) => Buffer, RegExp][] = [
  ['a flipped bit at its start', (content) => flipped(content, 0), /other bytes/],
  ['a flipped bit at its end', (content) => flipped(content, content.length - 1), /other bytes/],
  ['no bytes', () => Buffer.alloc(0), /is empty/],
  ['its end cut off', (content) => content.subarray(0, content.length / 2), /other bytes/],
  ['more bytes', (content) => Buffer.concat([content, Buffer.from('more')]), /other bytes/],
]

describe.each([
  ['files', inFiles, true],
  ['a bucket', inBucket, false],
] as const)('damaged blobs in %s', (_, start, rereads) => {
  let place: Place
  let met: StoreError[]
  beforeAll(async () => {
    place = await start()
  })
  afterAll(() => place.close())
  beforeEach(() => {
    met = []
  })
  const open = () => place.open((error) => void met.push(error))

  for (const [length, size] of Object.entries(sizes))
    test.each(damages)(`${length} content with %s reaches no reader whole, and is named`, async (_name, damage, reason) => {
      const content = aContent(size)
      const { digest } = await place.open().put(content)
      const other = damage(content)
      await place.overwrite(digest, other)
      const blobs = open()
      let received = 0
      const failure = await (async () => {
        for await (const part of await blobs.read(digest)) received += (part as Buffer).length
      })().catch((error: unknown) => error)
      expect(failure).toMatchObject({ name: 'StoreError', kind: 'damaged', message: expect.stringMatching(reason) })
      expect(String(failure)).toContain(digest)
      if (rereads || other.length <= 2 ** 20) expect(received).toBe(0)
      else expect(received).toBeLessThan(other.length)
      expect(met).toEqual([failure])
      // What is known to be damaged is refused before the first byte.
      await expect(blobs.read(digest, { start: 1, end: 3 })).rejects.toMatchObject({ kind: 'damaged' })
    })

  test('a range of damaged content is refused, wherever the damage is', async () => {
    const content = aContent(sizes.long)
    const { digest } = await place.open().put(content)
    await place.overwrite(digest, flipped(content, 3_000_000))
    await expect(open().read(digest, { start: 10, end: 20 })).rejects.toMatchObject({ kind: 'damaged' })
    expect(met).toHaveLength(1)
  })

  test('whole content is read as it was stored, whole and in ranges', async () => {
    const content = aContent(sizes.long)
    const blobs = open()
    const { digest } = await blobs.put(content)
    for (let round = 0; round < 2; round++) {
      expect((await bytesOf(await blobs.read(digest))).equals(content)).toBe(true)
      expect((await bytesOf(await blobs.read(digest, { start: 7, end: 2_000_007 }))).equals(content.subarray(7, 2_000_007))).toBe(true)
    }
    expect(met).toEqual([])
  })

  test('a blob that a record names and that is missing is damage', async () => {
    const blobs = open()
    const { digest } = await blobs.put(aContent(100))
    await blobs.delete(digest)
    expect(await blobs.get(digest)).toBeUndefined()
    expect(met).toEqual([])
    await expect(blobs.read(digest)).rejects.toMatchObject({
      kind: 'damaged',
      message: expect.stringContaining(`${digest} is damaged: it is missing`),
    })
    expect(met).toMatchObject([{ kind: 'damaged' }])
  })

  test('the same content that is sent again heals a blob that was met damaged', async () => {
    const content = aContent(sizes.long)
    const { digest } = await place.open().put(content)
    await place.overwrite(digest, Buffer.alloc(0))
    const blobs = open()
    await expect(blobs.read(digest)).rejects.toMatchObject({ kind: 'damaged' })
    const staged = await blobs.stage(content)
    await staged.drop()
    expect((await bytesOf(await blobs.read(digest))).equals(content)).toBe(true)
  })

  test('a reader that stops early ends the read', async () => {
    const blobs = open()
    const content = aContent(sizes.long)
    const { digest } = await blobs.put(content)
    for await (const part of await blobs.read(digest)) {
      expect((part as Buffer).length).toBeGreaterThan(0)
      break
    }
    expect((await bytesOf(await blobs.read(digest))).length).toBe(content.length)
  })
})
