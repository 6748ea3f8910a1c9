import type { Readable } from 'node:stream'
import { badRequest, type ReceivedPart, tooLarge } from '@heddle/core-api/internal'
import busboy from 'busboy'
import type { MemoryReservation } from './body-budget.ts'
import type { StageUpload } from '../routing/mount-options.ts'
import type { RequestLimits } from './request-limits.ts'

export interface Multipart {
  /** Text fields by name; the last of equal names. */
  fields: Record<string, string>
  /** Parts with bytes, in the order sent. */
  files: ReceivedPart[]
}

export interface MultipartOptions {
  limits: Pick<RequestLimits, 'maxParts'>
  /** For the text fields; files are not kept in memory. */
  memory: MemoryReservation
  /** Names of the parts to stage; the bytes of others are discarded. */
  parts: readonly string[]
  stage: StageUpload
}

export interface MultipartReader {
  /** Takes the next chunk; resolves when it can take another. @throws whatever `end` would */
  write(chunk: Uint8Array): void | Promise<void>
  /** @throws ApiError 400 for a broken or cut body, 413 for too many parts or too long a text field, 503 for too many fields at once */
  end(): Promise<Multipart>
  /** Stops reading a body whose rest will not arrive. */
  abandon(): void
}

const maxFieldBytes = 2 ** 20

/**
 * Reads a `multipart/form-data` body while it arrives. Bytes are bounded by what is written.
 * @throws ApiError 400 when the content type names no boundary
 */
export function createMultipartReader(contentType: string, { limits, memory, parts, stage }: MultipartOptions): MultipartReader {
  const parser = createParser(contentType, limits.maxParts)
  const fields = new Map<string, string>()
  const received: Promise<ReceivedPart>[] = []
  const finished = new Promise<Multipart>((resolve, reject) => {
    const receive = async (stream: Readable, info: Omit<ReceivedPart, 'content'>): Promise<ReceivedPart> => {
      // A truncated part is the client's fault, whatever the staging makes of it. Where the staging stopped reading, it rejects with its own reason.
      stream.once('error', (error) => isStoppedByReader(error) || reject(brokenMultipart()))
      return { ...info, content: await stage(stream) }
    }
    parser.on('field', (name, value, info) => {
      if (info.valueTruncated || info.nameTruncated) return reject(tooLarge())
      fields.set(name, value)
      attempt(() => memory.reserve(value.length * 2), reject)
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
    throw badRequest('the multipart content type has no boundary; let the HTTP client set the content type')
  }
}

/** Whether a stream failed because its reader stopped before the end. */
const isStoppedByReader = (error: Error) => 'code' in error && error.code === 'ABORT_ERR'

const brokenMultipart = () => badRequest('the multipart body is malformed or truncated')
