import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSafetensors, writeSafetensors, writeSafetensorsInParts } from './safetensors.ts'
import { openTensorFiles } from './tensor-files.ts'

let folder: string
let count = 0
const aPath = () => join(folder, `${++count}.safetensors`)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-tensors-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A file with one tensor "t" in a format that the writer does not write. */
function writeRaw(dtype: string, shape: readonly number[], bytes: Uint8Array): string {
  const header = Buffer.from(JSON.stringify({ t: { dtype, shape, data_offsets: [0, bytes.length] } }))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length))
  const path = aPath()
  writeFileSync(path, Buffer.concat([length, header, bytes]))
  return path
}

function readOne(path: string): Float32Array {
  const file = openSafetensors(path)
  try {
    return file.read('t').data
  } finally {
    file.close()
  }
}

const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((name) => !['__metadata__', '__proto__'].includes(name))
const tensors = fc.dictionary(names, fc.float32Array({ maxLength: 20, noNaN: true }), { maxKeys: 6, noNullPrototype: true })

test('what is written is read again, and does not depend on the order', () => {
  fc.assert(
    fc.property(tensors, (values) => {
      const sources = Object.entries(values).map(([name, data]) => ({ name, shape: [data.length], read: () => data }))
      const [path, other] = [aPath(), aPath()]
      writeSafetensors(path, sources)
      writeSafetensors(other, sources.toReversed())
      expect(readFileSync(other).equals(readFileSync(path))).toBe(true)
      const file = openSafetensors(path)
      expect([...file.names].toSorted()).toEqual(Object.keys(values).toSorted())
      for (const [name, data] of Object.entries(values)) expect(file.read(name)).toEqual({ shape: [data.length], data })
      file.close()
    }),
    { numRuns: trials({ usual: 20, long: 1000 }) },
  )
})

test('a file that is written in parts is the one that is written at once', async () => {
  const values = [Float32Array.of(1, 2, 3), Float32Array.of(4, 5, 6)]
  const whole = Float32Array.of(1, 2, 3, 4, 5, 6)
  const [path, other] = [aPath(), aPath()]
  writeSafetensors(path, [
    { name: 'b', shape: [2, 3], read: () => whole },
    { name: 'a', shape: [3], read: () => values[0]! },
  ])
  const parts = writeSafetensorsInParts(other, [
    { name: 'b', shape: [2, 3], parts: () => values },
    { name: 'a', shape: [3], parts: () => values.slice(0, 1) },
  ])
  let pauses = 0
  for (let step = parts.next(); !step.done; step = parts.next(), pauses++) await step.value
  expect(pauses).toBe(4)
  expect(readFileSync(other).equals(readFileSync(path))).toBe(true)
})

test('bfloat16 and half-precision numbers are read exactly', () => {
  const half = Uint8Array.from([0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00, 0xff, 0x7b, 0x00, 0x7c, 0x55, 0x35])
  expect([...readOne(writeRaw('F16', [6], half))]).toEqual([1, -2, 2 ** -24, 65_504, Infinity, 0.333251953125])
  const brain = Uint8Array.from([0x80, 0x3f, 0x00, 0xc0, 0x49, 0x40])
  expect([...readOne(writeRaw('BF16', [3], brain))]).toEqual([1, -2, 3.140625])
})

describe('a file is refused', () => {
  test.each([
    ['in another format', () => writeRaw('I64', [1], new Uint8Array(8)), 'is in I64; F32, BF16 and F16 are read'],
    ['with fewer numbers than its shape has', () => writeRaw('F32', [3], new Uint8Array(8)), 'has 8 bytes for 3 numbers in F32'],
    ['with a shape that is none', () => writeRaw('F32', [-1], new Uint8Array(4)), 'describes tensor "t" wrongly'],
  ])('%s', (_, write, message) => {
    expect(() => readOne(write())).toThrow(message)
  })

  test('wherever it is cut off', () => {
    const whole = readFileSync(writeRaw('F32', [4], new Uint8Array(16)))
    for (let length = 0; length < whole.length; length++) {
      const path = aPath()
      writeFileSync(path, whole.subarray(0, length))
      expect(() => readOne(path)).toThrow(/is not a safetensors file|is not JSON|ends before|wrongly/)
    }
  })

  test('of an index that leads out of the folder', () => {
    writeFileSync(join(folder, 'model.safetensors.index.json'), JSON.stringify({ weight_map: { a: '../b.safetensors' } }))
    expect(() => openTensorFiles(folder, 'model')).toThrow('of its own folder')
  })
})
