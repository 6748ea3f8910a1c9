import { createReadStream, existsSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

const bufferedLength = 1 << 20

/** Writes lines to a file that is not there yet; they are on disk when it resolves. @returns how many */
export async function writeLines(path: string, lines: AsyncIterable<string>, onLine?: (count: number) => void): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'wx', 0o600)
  try {
    let count = 0
    let waiting = ''
    for await (const line of lines) {
      count++
      onLine?.(count)
      waiting += `${line}\n`
      if (waiting.length < bufferedLength) continue
      await file.appendFile(waiting)
      waiting = ''
    }
    await file.appendFile(waiting)
    await file.sync()
    return count
  } finally {
    await file.close()
  }
}

/** A line of a file, for messages too. */
export interface Line {
  file: string
  /** From 1. */
  number: number
  text: string
}

/** The lines of a file below a folder; none if the file does not exist. */
export async function* readLines(folder: string, file: string): AsyncGenerator<Line> {
  const path = join(folder, file)
  if (!existsSync(path)) return
  const input = createReadStream(path)
  let number = 0
  for await (const text of createInterface({ input, crlfDelay: Infinity })) yield { file, number: ++number, text }
}
