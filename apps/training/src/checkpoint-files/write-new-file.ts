import { createWriteStream } from 'node:fs'
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Writes a file from a stream. Once it has settled nothing is written any more, so that the folder can be removed. @throws when the file exists */
export async function writeNewFile(path: string, content: Readable, ...through: Transform[]): Promise<void> {
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx' })
  const closed = new Promise<void>((resolve) => void file.once('close', resolve))
  try {
    await pipeline([content, ...through, file])
  } finally {
    await closed
  }
}
