import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract, type Extract } from 'tar-stream'
import { writeNewFile } from '../checkpoint-files/write-new-file.ts'

/** Writes the files of an export into a folder. @throws Error when the export ends early, or names a file outside the folder */
export async function unpackExport(tar: Readable, folder: string): Promise<{ bytes: number; files: string[] }> {
  const archive = extract()
  const [written] = await Promise.all([writeFiles(archive, folder), pipeline(tar, archive)])
  return written
}

async function writeFiles(archive: Extract, folder: string): Promise<{ bytes: number; files: string[] }> {
  const files: string[] = []
  let bytes = 0
  for await (const file of archive) {
    const { name, size = 0 } = file.header
    if (basename(name) !== name) throw new Error(`the export names a file outside its folder: ${JSON.stringify(name)}`)
    await writeNewFile(join(folder, name), file)
    files.push(name)
    bytes += size
  }
  return { bytes, files }
}
