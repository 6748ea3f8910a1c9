import { promisify } from 'node:util'
import { gunzip, inflate, type ZlibOptions } from 'node:zlib'
import { ApiError } from '@heddle/core-api'
import { badRequest, tooLarge } from '@heddle/core-api/internal'
import type { MemoryReservation } from './body-budget.ts'
import type { RequestLimits } from './request-limits.ts'
import { inflateZstd } from './zstd/inflate-zstd.ts'

type Inflate = (packed: Uint8Array, options: ZlibOptions) => Promise<Uint8Array>

const inflaters: Readonly<Record<string, Inflate>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  zstd: inflateZstd,
}
const freeBytes = 2 ** 20

/**
 * Finds the decompressor for a Content-Encoding. Undefined when the body is not compressed.
 * @throws ApiError 415 for encodings other than one of gzip, deflate and zstd
 */
export function findInflater(encoding: string | null): Inflate | undefined {
  const name = (encoding ?? '').trim().toLowerCase()
  if (name === '' || name === 'identity') return undefined
  const inflater = Object.hasOwn(inflaters, name) ? inflaters[name] : undefined
  if (inflater) return inflater
  throw new ApiError(
    'unsupported_media_type',
    `content encoding "${name.slice(0, 80)}" is not supported; send gzip, deflate, zstd or none, once`,
  )
}

export interface Inflation {
  inflater: Inflate
  limits: Pick<RequestLimits, 'maxBodyBytes' | 'maxInflateRatio'>
  memory: MemoryReservation
}

/**
 * Decompresses a body off the main thread, and stops at the limit rather than after it.
 * @throws ApiError 413 beyond the body limit or the ratio, 400 when the data is broken
 */
export async function inflateBody(packed: Uint8Array, { inflater, limits, memory }: Inflation): Promise<Uint8Array> {
  const maxOutputLength = Math.min(limits.maxBodyBytes, Math.max(freeBytes, packed.byteLength * limits.maxInflateRatio))
  try {
    const unpacked = await inflater(packed, { maxOutputLength, chunkSize: 64 * 1024 })
    memory.reserve(unpacked.byteLength)
    return unpacked
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    if (error instanceof ApiError) throw error
    throw badRequest('cannot decompress the request body; send what Content-Encoding says')
  }
}
