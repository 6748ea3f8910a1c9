import { Buffer } from 'node:buffer'
import { badRequest, type FilePart, tooLarge } from '@heddle/core-api'
import busboy from 'busboy'
import type { RequestLimits } from './request-limits.ts'

export interface Multipart {
  /** Text fields by name; the last of equal names. */
  fields: Record<string, string>
  /** Parts with bytes, in the order sent. */
  files: FilePart[]
}

export interface MultipartReader {
  write(chunk: Uint8Array): void
  /** @throws ApiError 400 for a broken or cut body, 413 for too many parts or too long a text field */
  end(): Promise<Multipart>
}

const maxFieldBytes = 2 ** 20

/**
 * Reads a `multipart/form-data` body while it arrives. Bytes are bounded by what is written.
 * @throws ApiError 400 when the content type names no boundary
 */
export function createMultipartReader(contentType: string, limits: Pick<RequestLimits, 'maxParts'>): MultipartReader {
  const parser = createParser(contentType, limits.maxParts)
  const fields = new Map<string, string>()
  const files: FilePart[] = []
  const finished = new Promise<Multipart>((resolve, reject) => {
    parser.on('field', (name, value, info) => {
      if (info.valueTruncated || info.nameTruncated) reject(tooLarge())
      else fields.set(name, value)
    })
    parser.on('file', (field, stream, info) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', () => reject(brokenMultipart()))
      stream.on('end', () =>
        files.push({ field, filename: info.filename || undefined, content_type: info.mimeType, bytes: Buffer.concat(chunks) }),
      )
    })
    parser.on('partsLimit', () => reject(tooLarge()))
    parser.on('error', () => reject(brokenMultipart()))
    parser.on('close', () => resolve({ fields: Object.fromEntries(fields), files }))
  })
  finished.catch(() => undefined)
  return {
    write: (chunk) => void parser.write(chunk),
    end() {
      parser.end()
      return finished
    },
  }
}

function createParser(contentType: string, parts: number): busboy.Busboy {
  try {
    return busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8', limits: { parts, fieldSize: maxFieldBytes } })
  } catch {
    throw badRequest('the multipart body names no boundary; let the HTTP client set the content type')
  }
}

const brokenMultipart = () => badRequest('the multipart body is broken or cut off')
