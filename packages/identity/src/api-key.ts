import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
const prefix = 'heddle'
const randomLength = 38
const checksumLength = 7
const shape = /^heddle[a-z0-9]{45}$/

/** Picks an integer of `0 … bound - 1`, each equally likely. */
export type PickInt = (bound: number) => number

/**
 * Generates a key of 51 characters without a dash, as clients require: a fixed prefix that secret scanners recognise,
 * 196 random bits, and a checksum that catches typing errors without a query.
 */
export function newApiKey(pick: PickInt = randomInt): string {
  let body = prefix
  for (let index = 0; index < randomLength; index++) body += alphabet[pick(alphabet.length)]
  return body + checksumOf(body)
}

/** False for a key in the generated format with a wrong checksum: mistyped or invented. Keys in any other format were chosen by a user and pass. */
export function isPlausibleApiKey(secret: string): boolean {
  if (!shape.test(secret)) return true
  return checksumOf(secret.slice(0, -checksumLength)) === secret.slice(-checksumLength)
}

/** SHA-256 in hex: all that is stored of a key. Keys are random, so a slow hash would add nothing. */
export function hashApiKey(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex')
}

/** The first characters of a key, by which users recognize it; too few to guess the rest. */
export function displayPrefix(secret: string): string {
  return secret.slice(0, shape.test(secret) ? prefix.length + 4 : 2)
}

/** Compares two hashes in time that does not depend on where they differ. */
export function isSameHash(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left, 'utf8'), Buffer.from(right, 'utf8'))
}

function checksumOf(body: string): string {
  return crc32(body).toString(36).padStart(checksumLength, '0')
}
