import { closeSync, copyFileSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../../error-code.ts'
import { BadRequest } from '../engine-request.ts'

export interface SpoolOptions {
  /** Folders in order of preference: one in memory may be small, and a body that does not fit moves to the next. */
  folders: readonly string[]
  name: string
  maxBytes: number
}

/** Writes the body to a new file, bounded, and returns its path. The caller removes it. */
export async function spoolBody(body: AsyncIterable<Uint8Array>, options: SpoolOptions): Promise<string> {
  const paths = options.folders.map((folder) => join(folder, options.name))
  let path = paths.shift() ?? ''
  let file = openSync(path, 'wx', 0o600)
  let size = 0
  try {
    for await (const part of body) {
      size += part.length
      if (size > options.maxBytes) throw new BadRequest(307, `insert is longer than ${options.maxBytes} bytes; send fewer rows at a time`)
      for (let at = 0; at < part.length;) {
        const written = writeSome(file, part.subarray(at))
        at += written
        if (written > 0) continue
        const next = paths.shift()
        if (next === undefined) throw new Error('ENOSPC: no space left for the rows of an insert')
        closeSync(file)
        copyFileSync(path, next)
        rmSync(path)
        path = next
        file = openSync(path, 'a')
      }
    }
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  return path
}

/** Bytes written; 0 when the disk is full. */
function writeSome(file: number, part: Uint8Array): number {
  try {
    return writeSync(file, part)
  } catch (error) {
    if (codeOf(error) === 'ENOSPC') return 0
    throw error
  }
}
