import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { ModelFileError } from './model-file-error.ts'

/** Opens a file to read. A pipe, on which opening would wait for its other end, and a device, which never ends, are refused. @throws ModelFileError for them, and as `openSync` does */
export function openRegularFile(path: string): number {
  // Windows has no such flag, and no such pipes.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  throw new ModelFileError('damaged', `${path} cannot be read: it is not a file`)
}
