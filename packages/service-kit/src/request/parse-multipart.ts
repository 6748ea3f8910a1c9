import { Readable } from 'node:stream'
import { badRequest, type ReceivedPart, tooLarge } from '@heddle/core-api/internal'
import busboy from 'busboy'
import type { MemoryReservation } from './body-budget.ts'
import type { StageUpload } from './staged-uploads.ts'
import type { OwnSecret } from './own-secret.ts'
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
  /** Names of the parts to stage; the bytes of all other parts are discarded. */
  parts: readonly string[]
  stage: StageUpload
  /** Masked in text fields, and in files with a text type: other files have checksums. */
  ownSecret?: OwnSecret | undefined
}

export interface MultipartReader {
  /** Takes the next chunk; resolves when it can take another. @throws whatever `end` would */
  write(chunk: Uint8Array): void | Promise<void>
  /**
   * @throws ApiError 400 for a broken or truncated body, 413 for too many parts or too long a text field, 503 for too many fields at the same time
   */
  end(): Promise<Multipart>
  /** Stops reading a body whose rest will not arrive. */
  abandon(): void
}

const maxFieldBytes = 2 ** 20

/**
 * Reads a `multipart/form-data` body while it arrives. Memory is bounded by back pressure from the writes.
 * @throws ApiError 400 when the content type names no boundary
 */
export function createMultipartReader(contentType: string, { limits, memory, parts, stage, ownSecret }: MultipartOptions): MultipartReader {
  const parser = createParser(contentType, limits.maxParts)
  const fields = new Map<string, string>()
  const received: Promise<ReceivedPart>[] = []
  const finished = new Promise<Multipart>((resolve, reject) => {
    const receive = async (stream: Readable, info: Omit<ReceivedPart, 'content'>): Promise<ReceivedPart> => {
      // A truncated part is the client's fault, whatever the staging makes of it. Where the staging stopped reading, it rejects with its own reason.
      stream.once('error', (error) => isStoppedByReader(error) || reject(brokenMultipart()))
      return { ...info, content: await stage(ownSecret && isText(info.content_type ?? '') ? masked(stream, ownSecret) : stream) }
    }
    parser.on('field', (name, value, info) => {
      if (info.valueTruncated || info.nameTruncated) return reject(tooLarge())
      fields.set(name, ownSecret ? ownSecret.fields({ value }).value : value)
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

function masked(stream: Readable, ownSecret: OwnSecret): Readable {
  const mask = ownSecret.stream()
  async function* chunks() {
    for await (const chunk of stream) yield mask.push(chunk as Uint8Array)
    yield mask.end()
  }
  return Readable.from(chunks(), { objectMode: false })
}

const textTypes = /^(?:text\/.*|application\/(?:.*\+)?(?:json|xml|yaml|toml|javascript|typescript|x-ndjson|jsonl|x-yaml|x-sh|x-python))$/

function isText(type: string): boolean {
  return textTypes.test(type)
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
