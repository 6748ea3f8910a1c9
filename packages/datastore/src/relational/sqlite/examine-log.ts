import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { codeOf } from '../../error-code.ts'

/** The part of a log behind the frame where SQLite ends it. */
export interface BrokenLog {
  /** Frames before the first one that is not as it was written. */
  intactFrames: number
  /** Commits whose frames are intact and follow each other behind it. SQLite leaves them out. */
  commitsBehind: number
}

const headerBytes = 32
const frameHeaderBytes = 24
/** Larger logs are not read. */
const maxBytes = 2 ** 30
const bigEndianMagic = 0x377f0683
/** Of databases of this server, for a log whose header is damaged. */
const usualPageBytes = 4_096

/** A running checksum of the log. */
type Sum = readonly [number, number]

/**
 * Finds commits in a log that SQLite does not read because a frame before them is damaged. Each frame has a checksum over all frames before it, so
 * frames behind a damaged one are checked from the sums that it claims. Two consecutive commits were each synced before the next one was written:
 * that is damage. After a power cut, an unfinished write or frames of an earlier one contain at most one. Undefined if there are fewer, or no log.
 */
export function findBrokenLog(path: string): BrokenLog | undefined {
  const file = openIfThere(path)
  if (file === undefined) return undefined
  try {
    return examine(file)
  } finally {
    closeSync(file)
  }
}

function examine(file: number): BrokenLog | undefined {
  const { size } = fstatSync(file)
  const header = Buffer.alloc(headerBytes)
  if (size > maxBytes || readSync(file, header, 0, headerBytes, 0) < headerBytes) return undefined
  const add = header.readUInt32BE(0) === bigEndianMagic ? addBigEndian : addLittleEndian
  let isIntact = isSum(header, 24, add([0, 0], header.subarray(0, 24)))
  const pageBytes = isIntact ? header.readUInt32BE(8) : usualPageBytes
  const frame = Buffer.alloc(frameHeaderBytes + pageBytes)
  // All frames of a log have the salts of its header; the first frame has them too where the header is damaged.
  const salts = Buffer.alloc(8)
  readSync(file, salts, 0, 8, isIntact ? 16 : headerBytes + 8)
  let sum: Sum = [header.readUInt32BE(24), header.readUInt32BE(28)]
  let intactFrames = 0
  let commitsBehind = 0
  let most = 0
  for (let at = headerBytes; at + frame.length <= size; at += frame.length) {
    readSync(file, frame, 0, frame.length, at)
    const next = add(add(sum, frame.subarray(0, 8)), frame.subarray(frameHeaderBytes))
    const follows = frame.subarray(8, 16).equals(salts) && isSum(frame, 16, next)
    sum = [frame.readUInt32BE(16), frame.readUInt32BE(20)]
    if (isIntact && follows) {
      intactFrames++
      continue
    }
    isIntact = false
    // The number of pages after the commit; 0 in frames that end none.
    if (!follows) commitsBehind = 0
    else if (frame.readUInt32BE(4) > 0) most = Math.max(most, ++commitsBehind)
  }
  return most >= 2 ? { intactFrames, commitsBehind: most } : undefined
}

const isSum = (bytes: Buffer, at: number, [first, second]: Sum) => bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second

function addLittleEndian([first, second]: Sum, bytes: Buffer): Sum {
  let a = first
  let b = second
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + bytes.readUInt32LE(at) + b) >>> 0
    b = (b + bytes.readUInt32LE(at + 4) + a) >>> 0
  }
  return [a, b]
}

function addBigEndian([first, second]: Sum, bytes: Buffer): Sum {
  let a = first
  let b = second
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + bytes.readUInt32BE(at) + b) >>> 0
    b = (b + bytes.readUInt32BE(at + 4) + a) >>> 0
  }
  return [a, b]
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
