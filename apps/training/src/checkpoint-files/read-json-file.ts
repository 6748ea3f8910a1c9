import { closeSync, fstatSync, readFileSync } from 'node:fs'
import { ModelFileError } from './model-file-error.ts'
import { openRegularFile } from './open-regular-file.ts'

/** Most bytes of a file that is parsed as a whole; the index of 1,000 files of tensors has fewer. */
export const maxJsonBytes = 2 ** 20

/** The parsed content of a JSON file next to weights. @throws ModelFileError if it is not JSON, cannot be read or has more than `maxBytes` */
export function readJsonFile(path: string, maxBytes = maxJsonBytes): unknown {
  try {
    return JSON.parse(readBounded(path, maxBytes))
  } catch (error) {
    if (error instanceof ModelFileError) throw error
    const reason = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    throw new ModelFileError('damaged', `${path} ${reason}`, { cause: error })
  }
}

function readBounded(path: string, maxBytes: number): string {
  const file = openRegularFile(path)
  try {
    const { size } = fstatSync(file)
    if (size > maxBytes) throw new ModelFileError('unsupported', `${path} has ${size} bytes; at most ${maxBytes} are read`)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}
