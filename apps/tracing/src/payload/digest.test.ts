import { canonicalJson, parseJson } from '@heddle/json'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import vectors from '../vectors/digest-vectors.json' with { type: 'json' }
import { bytesDigest, textDigest } from './digest.ts'

type Vector = (typeof vectors.vectors)[number]

/** The vector as bytes, which are written as hex or as one repeated byte. */
function bytesOf(vector: Vector): Uint8Array {
  const { bytes_hex, repeat } = vector as { bytes_hex?: string; repeat?: { byte_hex: string; times: number } }
  if (repeat !== undefined) return Buffer.alloc(repeat.times, Number.parseInt(repeat.byte_hex, 16))
  return Buffer.from(bytes_hex ?? '', 'hex')
}

/** A server that reads JSON as the standard has it takes no bare `NaN`. */
const notJson = new Set(['NaN and infinities as bare words'])
/** Their digests are made of row digests, which come with tables. */
const otherKinds = ['table']

describe('recorded digests', () => {
  test.each(vectors.vectors.filter((vector) => vector.kind === 'file'))('file: $name', (vector) => {
    expect(bytesDigest(bytesOf(vector))).toBe(vector.digest)
  })

  test.each(vectors.vectors.filter((vector) => (vector.kind === 'object' || vector.kind === 'row') && !notJson.has(vector.name)))(
    '$kind: $name: the recorded text has the recorded digest',
    ({ canonical, digest }) => {
      expect(textDigest(canonical ?? '')).toBe(digest)
    },
  )

  test('every kind of the recording is either tested here or named as another test of ours', () => {
    const tested = new Set(['file', 'object', 'row', 'object with references', ...otherKinds])
    expect(vectors.vectors.filter(({ kind }) => !tested.has(kind))).toEqual([])
  })
})

test('the digest of a value does not depend on the order in which its keys were written', () => {
  const value = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 2, maxKeys: 8 })
  fc.assert(
    fc.property(value, fc.nat(), (object, turn) => {
      const keys = Object.keys(object)
      const turned = keys.map((_, index) => keys[(index + turn) % keys.length] ?? '')
      const text = `{${turned.map((key) => `${JSON.stringify(key)}:${JSON.stringify(object[key])}`).join(',')}}`
      const reordered = parseJson(text, { loneSurrogates: 'keep' })
      const given = parseJson(JSON.stringify(object), { loneSurrogates: 'keep' })
      expect(textDigest(canonicalJson(reordered))).toBe(textDigest(canonicalJson(given)))
    }),
  )
})
