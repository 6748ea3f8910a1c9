import { open } from 'node:fs/promises'
import { ifCode } from './optional-file.ts'

/** Beyond this a file is shortened. */
const maxBytes = 16 * 2 ** 20
const keptBytes = 64 * 2 ** 10

/** The end of a file that may still be written, at most 64 KiB; empty if there is none. */
export async function readEnd(path: string): Promise<string> {
  const file = await openIfThere(path, 'r')
  if (file === null) return ''
  try {
    const { size } = await file.stat()
    const length = Math.min(size, keptBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Keeps the end of a file of more than 16 MiB. A program that appends to it continues; what it writes at that moment may be lost. */
export async function shortenFile(path: string): Promise<void> {
  const file = await openIfThere(path, 'r+')
  if (file === null) return
  try {
    if ((await file.stat()).size <= maxBytes) return
    const end = await readEnd(path)
    await file.truncate(0)
    await file.appendFile(end)
  } finally {
    await file.close()
  }
}

const openIfThere = (path: string, flags: 'r' | 'r+') => open(path, flags).catch(ifCode('ENOENT', null))
