import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { createEncodingDetector, detectSeparator, type Encoding, encodings, type Separator } from '@heddle/text-files'
import { UsageError } from '../terminal/usage-error.ts'

/** How the text of a file is read. */
export interface TextForm {
  encoding: Encoding
  /** Undefined for a format without one. */
  separator: Separator | undefined
}

/** The user's choice; the rest is detected. */
export type ChosenForm = Partial<TextForm>

export interface TextFile {
  path: string
  /** For errors. */
  name: string
  isTable: boolean
}

/** Characters whose records decide the separator. */
const sampledCharacters = 256 * 1024

/**
 * How a file is read: as chosen, or as detected. Reads all of it, so that no record is stored of a file that cannot be read to its end.
 * Windows-1252, which any bytes are, is a guess that only tables get: JSON is in an encoding of Unicode.
 * @throws UsageError for bytes that the encoding has no character for
 */
export async function findTextForm(file: TextFile, chosen: ChosenForm): Promise<TextForm> {
  const encoding = chosen.encoding ?? (await detectedEncoding(file))
  const sample = await readSample(file, encoding)
  return { encoding, separator: file.isTable ? (chosen.separator ?? detectSeparator(sample)) : undefined }
}

async function detectedEncoding({ path, name, isTable }: TextFile): Promise<Encoding> {
  const detector = createEncodingDetector()
  for await (const bytes of openBytes(path)) detector.add(bytes as Uint8Array)
  const encoding = detector.end()
  if (encoding === 'windows-1252' && !isTable)
    throw new UsageError(`${name} is neither UTF-8 nor UTF-16; name its encoding with --encoding: ${encodings.join(', ')}`)
  return encoding
}

/** The first records, from a file that is read to its end. */
async function readSample({ path, name }: TextFile, encoding: Encoding): Promise<string> {
  let sample = ''
  let isWhole = true
  try {
    for await (const text of decode(path, encoding)) {
      isWhole &&= sample.length < sampledCharacters
      if (isWhole) sample += text
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(`${name} is not valid ${encoding}; name its encoding with --encoding: ${encodings.join(', ')}`)
  }
  return isWhole ? sample : sample.slice(0, sample.lastIndexOf('\n') + 1)
}

/** The text without its byte order mark, in pieces. */
export function openText(path: string, encoding: Encoding): Readable {
  return Readable.from(decode(path, encoding))
}

async function* decode(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  for await (const bytes of openBytes(path)) yield decoder.decode(bytes as Uint8Array, { stream: true })
  yield decoder.decode()
}

function openBytes(path: string): Readable {
  const bytes = createReadStream(path)
  if (!path.endsWith('.gz')) return bytes
  const unpacked = createGunzip()
  bytes.on('error', (error) => unpacked.destroy(error)).pipe(unpacked)
  return unpacked
}
