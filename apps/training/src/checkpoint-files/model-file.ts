import { readSync } from 'node:fs'
import { ModelFileError } from './model-file-error.ts'
import { openRegularFile } from './open-regular-file.ts'

/** Opens a file to read. @throws ModelFileError that says why it cannot be opened */
export function openModelFile(path: string): number {
  try {
    return openRegularFile(path)
  } catch (error) {
    if (error instanceof ModelFileError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw new ModelFileError('damaged', code === 'ENOENT' ? `${path} is missing` : `${path} cannot be opened: ${message}`, { cause: error })
  }
}

/** Bytes in a separate buffer, from its offset 0. @throws ModelFileError when the file ends before */
export function readBytes(path: string, file: number, position: number, length: number): Buffer {
  // Not from the pool, where it might begin anywhere.
  const bytes = Buffer.allocUnsafeSlow(length)
  for (let done = 0; done < length;) {
    const count = readSync(file, bytes, done, length - done, position + done)
    if (count === 0) throw new ModelFileError('damaged', `${path} ends at byte ${position + done}`)
    done += count
  }
  return bytes
}
