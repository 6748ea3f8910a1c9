import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aConfig } from '../../testing/write-random-model.ts'
import { readModelConfig } from '../read-model-config.ts'
import { encodedBytes, encodeNumbers } from '../number-formats.ts'
import { encodeGgufHeader, type GgufEntry, type GgufTensorInfo, dataBytes } from './encode-gguf.ts'
import { toArchitectureValues } from './gguf-architecture.ts'
import { decodeNumbers } from './gguf-numbers.ts'
import { listGgufNames } from './gguf-tensors.ts'
import { openGguf } from './open-gguf.ts'

let folder: string
let count = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-gguf-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const config = aConfig()
const tensors: GgufTensorInfo[] = listGgufNames(config).map(({ gguf, shape }) => ({ name: gguf, shape, format: 'F32' }))
const values = (changes: Record<string, GgufEntry | null> = {}): GgufEntry[] => {
  const usual: GgufEntry[] = [
    ['general.architecture', 'text', 'llama'],
    ...toArchitectureValues(config).map(([key, type, value]) => [`llama.${key}`, type, value] as const),
    ['tokenizer.ggml.tokens', 'texts', ['a', 'b']],
  ]
  const kept = usual.filter(([key]) => changes[key] === undefined)
  return [...kept, ...Object.values(changes).filter((entry) => entry !== null)]
}

function aFile({
  entries = values(),
  infos = tensors,
  bytes,
}: { entries?: GgufEntry[]; infos?: GgufTensorInfo[]; bytes?: Buffer } = {}): string {
  const path = join(folder, `${++count}.gguf`)
  writeFileSync(path, bytes ?? Buffer.concat([encodeGgufHeader(entries, infos), Buffer.alloc(dataBytes(infos))]))
  return path
}

const openAndClose = (path: string) => openGguf(path).close()
const whole = () => Buffer.concat([encodeGgufHeader(values(), tensors), Buffer.alloc(dataBytes(tensors))])
/** The header with a part of it written over. */
function withBytes(change: (header: Buffer) => void): string {
  const bytes = whole()
  change(bytes)
  return aFile({ bytes })
}

test('the shape of the model is read from its file', () => {
  const file = openGguf(aFile())
  file.close()
  expect(file.config).toEqual({ ...config, normEpsilon: Math.fround(config.normEpsilon) })
  expect(file.describe('model.layers.1.self_attn.q_proj.weight')).toEqual({ shape: [32, 16], format: 'F32' })
})

describe('a file is refused', () => {
  const entry = (key: string, ...rest: ['u32' | 'f32', number] | ['text', string]) => ({ [key]: [key, ...rest] as GgufEntry })
  test.each<[string, () => string, string | RegExp]>([
    ['of another format', () => aFile({ bytes: Buffer.alloc(100) }), 'is not a GGUF file'],
    ['of another version', () => withBytes((header) => header.writeUInt32LE(2, 4)), 'is of GGUF version 2; version 3 is read'],
    [
      'with tensors without end',
      () => withBytes((header) => header.writeBigUInt64LE(2n ** 63n, 8)),
      'would have 9223372036854775808 tensors',
    ],
    [
      'with more tensors than it holds',
      () => withBytes((header) => header.writeBigUInt64LE(90_000n, 8)),
      /describes tensor|bytes in a text|does not end/,
    ],
    ['with keys without end', () => withBytes((header) => header.writeBigUInt64LE(2n ** 60n, 16)), 'entries; at most 10000 fit'],
    [
      'with a key longer than the file',
      () => withBytes((header) => header.writeBigUInt64LE(2n ** 40n, 24)),
      'bytes in a text; at most 1024 fit',
    ],
    [
      'of an unknown architecture',
      () => aFile({ entries: values(entry('general.architecture', 'text', 'gemma3')) }),
      '"general.architecture" in',
    ],
    ['of experts', () => aFile({ entries: values(entry('llama.expert_count', 'u32', 8)) }), '"llama.expert_count" in'],
    [
      'with scaled positions',
      () => aFile({ entries: values(entry('llama.rope.scaling.type', 'text', 'yarn')) }),
      '"llama.rope.scaling.type" in',
    ],
    ['without a number that it needs', () => aFile({ entries: values({ 'llama.block_count': null }) }), '"llama.block_count" in'],
    ['with a text for a number', () => aFile({ entries: values(entry('llama.block_count', 'text', 'two')) }), '"two"; it must be a number'],
    ['with layers without end', () => aFile({ entries: values(entry('llama.block_count', 'u32', 2 ** 31)) }), '"num_hidden_layers" in'],
    [
      'with odd rotary factors',
      () => aFile({ infos: [...tensors, { name: 'rope_freqs.weight', shape: [4], format: 'F32' }] }),
      'has other numbers',
    ],
    [
      'with a key twice',
      () => aFile({ entries: [...values(), ['general.architecture', 'text', 'llama']] }),
      '"general.architecture" twice',
    ],
    ['with a tensor twice', () => aFile({ infos: [...tensors, tensors[0]!] }), 'has two tensors'],
    ['with an alignment of nothing', () => aFile({ entries: values(entry('general.alignment', 'u32', 0)) }), 'has the alignment 0'],
    ['with a tensor of 2^60 numbers', () => aFile({ bytes: huge() }), /wrongly|ends before/],
  ])('%s', (_, make, message) => {
    expect(() => openAndClose(make())).toThrow(message)
  })

  /** A header whose last tensor claims more than any file has. */
  function huge(): Buffer {
    const infos: GgufTensorInfo[] = [{ ...tensors[0]!, shape: [2 ** 30, 2 ** 30] }]
    return Buffer.concat([encodeGgufHeader(values(), infos), Buffer.alloc(64)])
  }

  test('with a tensor within another', () => {
    const header = encodeGgufHeader(values(), tensors)
    const name = Buffer.from(tensors[1]!.name)
    // After the name: number of dimensions, one dimension, format.
    header.writeBigUInt64LE(0n, header.indexOf(name) + name.length + 4 + 8 + 4)
    const path = aFile({ bytes: Buffer.concat([header, Buffer.alloc(dataBytes(tensors))]) })
    expect(() => openAndClose(path)).toThrow(/has tensor "\S+" within tensor "\S+"/)
  })

  test('with a tensor in a format that is not read, which it names', () => {
    const header = encodeGgufHeader(values(), tensors)
    const name = Buffer.from(tensors[0]!.name)
    header.writeUInt32LE(12, header.indexOf(name) + name.length + 4 + 16)
    const file = openGguf(aFile({ bytes: Buffer.concat([header, Buffer.alloc(dataBytes(tensors))]) }))
    expect(() => file.describe('model.embed_tokens.weight')).toThrow('is in Q4_K; F32, F16, Q8_0, BF16 are read')
    file.close()
  })

  test('wherever it is cut off', () => {
    const bytes = whole()
    for (let length = 0; length < bytes.length; length += 7) {
      expect(() => openAndClose(aFile({ bytes: bytes.subarray(0, length) }))).toThrow(/is not a GGUF file|ends before|describes tensor|fit/)
    }
  })

  test('with any byte of its header changed, unless it still describes a model', () => {
    const headerBytes = encodeGgufHeader(values(), tensors).length
    fc.assert(
      fc.property(fc.nat(headerBytes - 1), fc.nat(255), (at, byte) => {
        const path = withBytes((header) => header.writeUInt8(byte, at))
        try {
          openAndClose(path)
        } catch (error) {
          expect(error).toMatchObject({ name: 'ModelFileError' })
        }
      }),
      { numRuns: trials({ usual: 200, long: 10_000 }) },
    )
  })

  test('if it is one of several in its folder', () => {
    const several = mkdtempSync(join(folder, 'several-'))
    for (const name of ['a.gguf', 'b.gguf']) writeFileSync(join(several, name), whole())
    expect(() => readModelConfig(several)).toThrow('has 2 GGUF files (a.gguf, b.gguf); keep one')
  })
})

describe('numbers', () => {
  const bits = (float: number) => Buffer.from(encodeNumbers(Float32Array.of(float), 'F16')).readUInt16LE()
  test.each([
    [1, 0x3c00],
    [-2, 0xc000],
    [65_504, 0x7bff],
    [65_519, 0x7bff],
    [2 ** -24, 1],
    [2 ** -25, 0],
    [1.5 * 2 ** -24, 2],
    [2 ** -14, 0x0400],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [Infinity, 0x7c00],
    [-0, 0x8000],
  ])('%f in half precision', (float, expected) => {
    expect(bits(float)).toBe(expected)
  })

  test('that half precision does not hold are refused', () => {
    expect(() => encodeNumbers(Float32Array.of(65_520), 'F16')).toThrow('F16 ends at 65504')
  })

  test('come back within the precision of their format', () => {
    const normal = fc.float32Array({ minLength: 64, maxLength: 64, noNaN: true, noDefaultInfinity: true, min: -100, max: 100 })
    fc.assert(
      fc.property(normal, (floats) => {
        for (const format of ['F32', 'BF16', 'F16', 'Q8_0'] as const) {
          const bytes = encodeNumbers(floats, format)
          expect(bytes.length).toBe(encodedBytes(format, floats.length))
          const relative = { F32: 0, BF16: 2 ** -8, F16: 2 ** -11, Q8_0: 0 }[format]
          for (const [i, value] of decodeNumbers(bytes, format).entries()) {
            const block = floats.subarray(i - (i % 32), i - (i % 32) + 32)
            const largest = block.reduce((most, each) => Math.max(most, Math.abs(each)), 0)
            const bound = format === 'Q8_0' ? largest * (0.5 / 127 + 2 ** -10) + 127 * 2 ** -24 : Math.abs(floats[i]!) * relative + 2 ** -24
            expect(Math.abs(value - floats[i]!)).toBeLessThanOrEqual(bound)
          }
        }
      }),
      { numRuns: trials({ usual: 50, long: 2_000 }) },
    )
  })
})
