import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { trials } from '@heddle/testing'
import { packZstd, zstdFrame } from '../../testing/zstd-frames.ts'
import { inflateZstd } from './inflate-zstd.ts'
import { measureZstd } from './measure-zstd.ts'

const mebibyte = 2 ** 20
const bytesOf = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'))

/** Written by the reference compressor, with checksums: from a pipe, which declares no size, and from a file. */
const text = `{"project_id":"${'abcdefgh'.repeat(2_000)}"}`
const ofPipe = bytesOf('KLUv/QRYDQEAyHsicHJvamVjdF9pZCI6ImFiY2RlZmdoIn0BAOv8+NIEh9jfQw==')
const ofFile = bytesOf('KLUv/WSRPQ0BAMh7InByb2plY3RfaWQiOiJhYmNkZWZnaCJ9AQDrfP42AYfY30M=')
const threeMebibytesOfZeros = bytesOf(
  'KLUv/QRYVAAAEAAAAQD7/znAAgIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAADABAAcrQy5A==',
)

describe('frames of the reference compressor', () => {
  test.each([
    ['a pipe', ofPipe, false],
    ['a file', ofFile, true],
  ])('from %s are unpacked', async (_, packed, isDeclared) => {
    expect(measureZstd(packed)).toMatchObject({ isDeclared })
    expect(Buffer.from(await inflateZstd(packed, { maxOutputLength: text.length })).toString()).toBe(text)
  })

  test('several frames and a skippable one are one body', async () => {
    const skippable = Uint8Array.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3])
    const packed = Buffer.concat([ofPipe, skippable, ofFile])
    expect(Buffer.from(await inflateZstd(packed, { maxOutputLength: mebibyte })).toString()).toBe(text + text)
  })

  test('large bodies are unpacked in threads, more of them than there are threads', async () => {
    const bodies = await Promise.all(Array.from({ length: 5 }, () => inflateZstd(threeMebibytesOfZeros, { maxOutputLength: 4 * mebibyte })))
    expect(bodies).toHaveLength(5)
    for (const body of bodies) expect([body.byteLength, body.every((byte) => byte === 0)]).toEqual([3 * mebibyte, true])
  })
})

describe('a body that unpacks to more than the limit', () => {
  const tooLarge = { code: 'ERR_BUFFER_TOO_LARGE' }

  test.each([
    ['declared', ofFile, text.length - 1],
    ['not declared', ofPipe, text.length - 1],
    ['not declared and in a thread', threeMebibytesOfZeros, 3 * mebibyte - 1],
  ])('is refused where the size is %s', async (_, packed, maxOutputLength) => {
    await expect(inflateZstd(packed, { maxOutputLength })).rejects.toMatchObject(tooLarge)
  })

  test.each([undefined, 4, 2 ** 40])('takes no memory, whatever it declares (%s)', async (declared) => {
    // 40 KB for 1.3 GB.
    const blocks = Array.from({ length: 10_000 }, () => ({ byte: 0, times: 131_072 }))
    const before = process.memoryUsage().rss
    await expect(inflateZstd(zstdFrame(blocks, declared), { maxOutputLength: 32 * mebibyte })).rejects.toThrow()
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * mebibyte)
  })
})

describe('a body that is broken', () => {
  test.each<[string, Uint8Array]>([
    ['cut', ofPipe.subarray(0, 20)],
    ['followed by other bytes', Buffer.concat([ofPipe, Buffer.from('more')])],
    ['changed, which its checksum tells', ofPipe.map((byte, at) => (at === 14 ? byte ^ 1 : byte))],
    ['of another size than it declares', zstdFrame([{ raw: Buffer.from('four') }], 5)],
    ['in need of a dictionary', ofPipe.map((byte, at) => (at === 4 ? byte | 3 : byte))],
    ['with a block larger than blocks may be', zstdFrame([{ byte: 0, times: 131_073 }])],
    ['not zstd at all', Buffer.from('{"project_id":"e/p"}')],
  ])('is refused: %s', async (_, packed) => {
    await expect(inflateZstd(packed, { maxOutputLength: mebibyte })).rejects.toThrow(/Zstandard/)
  })

  test('nothing but bytes of the length in question comes out of any bytes', { timeout: 120_000 }, async () => {
    const changes = fc.array(fc.tuple(fc.nat(ofPipe.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(changes, async (each) => {
        const packed = ofPipe.slice()
        for (const [at, byte] of each) packed[at] = byte
        const unpacked = await inflateZstd(packed, { maxOutputLength: 65_536 }).catch(() => undefined)
        if (unpacked) expect(unpacked.byteLength).toBeLessThanOrEqual(65_536)
      }),
      { numRuns: trials({ usual: 200, long: 20_000 }) },
    )
  })

  test('what was packed comes back', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300_000, size: 'max' }), async (bytes) => {
        const unpacked = await inflateZstd(packZstd(bytes), { maxOutputLength: 400_000 })
        expect(Buffer.from(unpacked).equals(Buffer.from(bytes))).toBe(true)
      }),
      { numRuns: trials({ usual: 10, long: 300 }) },
    )
  })
})
