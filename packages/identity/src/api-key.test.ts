import fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayPrefix, hashApiKey, isPlausibleApiKey, isSameHash, newApiKey } from './api-key.ts'

test('a new key has the form that clients want: 50 characters or more, no dash, a recognisable start', () => {
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

test('one wrong character is found by the checksum', () => {
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

test('a key that a person chose has no checksum to fail', () => {
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

test('what is shown of a key is too short to guess the rest', () => {
  expect(displayPrefix(newApiKey())).toHaveLength(10)
  expect(displayPrefix('a-key-of-our-own-making')).toHaveLength(2)
})
