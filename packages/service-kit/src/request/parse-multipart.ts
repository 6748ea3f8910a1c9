import type { Readable } from 'node:stream'
import { badRequest, type ReceivedPart, tooLarge } from '@heddle/core-api/internal'
import busboy from 'busboy'
import type { BodyClaim } from './body-budget.ts'
import type { HoldPart } from '../routing/mount-options.ts'
import type { RequestLimits } from './request-limits.ts'

export interface Multipart {
  /** Text fields by name; the last of equal names. */
  fields: Record<string, string>
  /** Parts with bytes, in the order sent. */
  files: ReceivedPart[]
}

export interface MultipartOptions {
  limits: Pick<RequestLimits, 'maxParts'>
  /** Holds the text fields; files are not in memory. */
  claim: BodyClaim
  /** Names of the parts whose bytes are wanted; the bytes of others pass by. */
  parts: readonly string[]
  hold: HoldPart
}

export interface MultipartReader {
  /** Takes the next piece; resolves when there is room for another. @throws whatever `end` would */
  write(chunk: Uint8Array): void | Promise<void>
  /** @throws ApiError 400 for a broken or cut body, 413 for too many parts or too long a text field, 503 for too many fields at once */
  end(): Promise<Multipart>
  /** Ends the reading of a body that will not come to its end. */
  abandon(): void
}

const maxFieldBytes = 2 ** 20

/**
 * Reads a `multipart/form-data` body while it arrives. Bytes are bounded by what is written.
 * @throws ApiError 400 when the content type names no boundary
 */
export function createMultipartReader(contentType: string, { limits, claim, parts, hold }: MultipartOptions): MultipartReader {
  const parser = createParser(contentType, limits.maxParts)
  const fields = new Map<string, string>()
  const received: Promise<ReceivedPart>[] = []
  const finished = new Promise<Multipart>((resolve, reject) => {
    const receive = async (stream: Readable, info: Omit<ReceivedPart, 'content'>): Promise<ReceivedPart> => {
      // A part that breaks off is the client's doing, whatever the holder makes of it. Where the holder broke off, it says why itself.
      stream.once('error', (error) => isBrokenOffByReader(error) || reject(brokenMultipart()))
      return { ...info, content: await hold(stream) }
    }
    parser.on('field', (name, value, info) => {
      if (info.valueTruncated || info.nameTruncated) return reject(tooLarge())
      fields.set(name, value)
      attempt(() => claim.add(value.length * 2), reject)
    })
    parser.on('file', (field, stream, { filename, mimeType }) => {
      if (!parts.includes(field)) return void stream.on('error', () => undefined).resume()
      const part = receive(stream, { field, filename: filename || undefined, content_type: mimeType })
      part.catch(reject)
      received.push(part)
    })
    parser.on('partsLimit', () => reject(tooLarge()))
    parser.on('error', () => reject(brokenMultipart()))
    parser.on('close', () => {
      Promise.all(received).then((files) => resolve({ fields: Object.fromEntries(fields), files }), reject)
    })
  })
  finished.catch(() => parser.destroy())
  return {
    write(chunk) {
      if (parser.write(chunk)) return undefined
      const drained = new Promise<void>((resolve) => void parser.once('drain', resolve))
      return Promise.race([drained, finished.then(() => undefined)])
    },
    end() {
      parser.end()
      return finished
    },
    abandon: () => void parser.destroy(new Error('the body ended early')),
  }
}

function attempt(work: () => void, onError: (error: unknown) => void): void {
  try {
    work()
  } catch (error) {
    onError(error)
  }
}

function createParser(contentType: string, parts: number): busboy.Busboy {
  try {
    return busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8', limits: { parts, fieldSize: maxFieldBytes } })
  } catch {
    throw badRequest('the multipart body names no boundary; let the HTTP client set the content type')
  }
}

/** What a stream fails with when its reader stops before the end. */
const isBrokenOffByReader = (error: Error) => 'code' in error && error.code === 'ABORT_ERR'

const brokenMultipart = () => badRequest('the multipart body is broken or cut off')
