import fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayPrefix, hashApiKey, isPlausibleApiKey, isSameHash, newApiKey } from './api-key.ts'

test('a new key has the format that clients require: 50 characters or more, no dash, a recognisable prefix', () => {
  const key = newApiKey()
  expect(key).toMatch(/^heddle[a-z0-9]{45}$/)
  expect(key.length).toBeGreaterThanOrEqual(50)
})

test('a key has at least 192 random bits', () => {
  let choices = 1n
  newApiKey((bound) => {
    choices *= BigInt(bound)
    return 0
  })
  expect(choices.toString(2).length - 1).toBeGreaterThanOrEqual(192)
})

test('no two of a thousand keys are equal', () => {
  expect(new Set(Array.from({ length: 1_000 }, () => newApiKey())).size).toBe(1_000)
})

test('the checksum catches one wrong character', () => {
  const characters = 'abcdefghijklmnopqrstuvwxyz0123456789'
  fc.assert(
    fc.property(fc.integer({ min: 6, max: 50 }), fc.integer({ min: 1, max: 35 }), (place, shift) => {
      const key = newApiKey()
      const other = characters[(characters.indexOf(key[place] ?? '') + shift) % 36]
      expect(isPlausibleApiKey(key)).toBe(true)
      expect(isPlausibleApiKey(key.slice(0, place) + other + key.slice(place + 1))).toBe(false)
    }),
  )
})

test('a key chosen by a person needs no checksum', () => {
  expect(isPlausibleApiKey('a-key-of-our-own-making')).toBe(true)
  expect(isPlausibleApiKey('heddle-in-our-house')).toBe(true)
})

test('a hash is the SHA-256 of the key in hex', () => {
  expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('hashes of unequal length are compared without throwing', () => {
  expect(isSameHash('ab', 'ab')).toBe(true)
  expect(isSameHash('ab', 'ac')).toBe(false)
  expect(isSameHash('ab', 'abc')).toBe(false)
})

test('the display prefix of a key is too short to guess the rest', () => {
  expect(displayPrefix(newApiKey())).toHaveLength(10)
  expect(displayPrefix('a-key-of-our-own-making')).toHaveLength(2)
})
