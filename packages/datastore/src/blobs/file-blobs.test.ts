import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileBlobs } from './file-blobs.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'heddle-blobs-'))
})
afterAll(() => rm(root, { recursive: true }))

async function bytesOf(stream: Readable | undefined): Promise<Buffer | undefined> {
  if (!stream) return undefined
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

async function* inParts(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

test('content comes back as it was kept, whole or from a stream, under its SHA-256', async () => {
  const blobs = fileBlobs(root)
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), fc.integer({ min: 1, max: 700 }), async (content, size) => {
      const kept = await blobs.put(inParts(content, size))
      expect(kept).toEqual({ digest: createHash('sha256').update(content).digest('hex'), sizeBytes: content.length })
      expect(await blobs.put(content)).toEqual(kept)
      expect(await blobs.stat(kept.digest)).toEqual(kept)
      expect((await bytesOf(await blobs.get(kept.digest)))?.equals(content)).toBe(true)
    }),
    { numRuns: 30 },
  )
})

test.each([
  [{ start: 0 }, 'content'],
  [{ start: 3 }, 'tent'],
  [{ start: 1, end: 3 }, 'on'],
  [{ start: 2, end: 99 }, 'ntent'],
  [{ start: 4, end: 4 }, ''],
  [{ start: 99 }, ''],
])('the range %o of "content" is "%s"', async (range, expected) => {
  const blobs = fileBlobs(root)
  const { digest } = await blobs.put(Buffer.from('content'))
  expect((await bytesOf(await blobs.get(digest, range)))?.toString()).toBe(expected)
})

test('what is not there is undefined, and deleting it does nothing', async () => {
  const blobs = fileBlobs(root)
  const { digest } = await blobs.put(Buffer.from('short-lived'))
  await blobs.delete(digest)
  await blobs.delete(digest)
  expect(await blobs.get(digest)).toBeUndefined()
  expect(await blobs.stat(digest)).toBeUndefined()
})

test.each(['../../etc/passwd', 'AB'.repeat(32), 'a'.repeat(63), `${'a'.repeat(63)}/`, '', `${'a'.repeat(64)}\n`, `../${'a'.repeat(61)}`])(
  'a digest like %j reaches no file',
  async (digest) => {
    const blobs = fileBlobs(root)
    for (const use of [blobs.get(digest), blobs.stat(digest), blobs.delete(digest)])
      await expect(use).rejects.toMatchObject({ kind: 'data' })
  },
)

test('a stream that breaks off leaves nothing behind', async () => {
  const blobs = fileBlobs(join(root, 'broken'))
  async function* breaking(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('half')
    throw new Error('connection lost')
  }
  await expect(blobs.put(breaking())).rejects.toThrow('connection lost')
  expect(await readdir(join(root, 'broken', 'incoming'))).toEqual([])
})

test('many writers of one content all succeed and leave one file', async () => {
  const blobs = fileBlobs(join(root, 'together'))
  const kept = await Promise.all(Array.from({ length: 20 }, () => blobs.put(Buffer.from('same'))))
  expect(new Set(kept.map((each) => each.digest)).size).toBe(1)
  const files = await readdir(join(root, 'together'), { recursive: true, withFileTypes: true })
  expect(files.filter((entry) => entry.isFile())).toHaveLength(1)
})
