import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { concatBytes } from '../encoding/concat-bytes.ts'
import type { Spool, SpoolFrame } from './spool.ts'

export interface FileSpoolOptions {
  folder: string
  /** Limit of all files in the folder together, of any process. */
  maxBytes: number
}

const abandonedAfterMs = 24 * 60 * 60 * 1000

/** A file: when and by which process it was written, and how many spans it holds. Names sort by time. */
interface FrameFile {
  name: string
  bytes: number
  spans: number
}

/**
 * Keeps each request in a separate file, which is renamed when it is complete: a crash loses at most the one being written. Files are readable only
 * by their owner. Several processes may share the folder; each sends its own and those of ended processes.
 */
export function createFileSpool({ folder, maxBytes }: FileSpoolOptions, warn: (message: string) => void): Spool {
  const host = Buffer.from(hostname()).toString('hex').slice(0, 16) || 'host'
  const writer = `${host}_${process.pid}_${randomBytes(4).toString('hex')}`
  const frames: FrameFile[] = []
  let bytes = sizeOfFolder(folder, warn)
  let written = 0

  /** Undefined when the folder is full. */
  function plan({ body, spans }: SpoolFrame): FrameFile | undefined {
    if (bytes + body.length > maxBytes) return undefined
    return claim({ body, spans })
  }
  function claim({ body, spans }: SpoolFrame): FrameFile {
    bytes += body.length
    const place = `${String(Date.now()).padStart(14, '0')}-${String(written++).padStart(9, '0')}`
    return { name: `${place}-${writer}-${spans}.pb`, bytes: body.length, spans }
  }
  function refuse(file: FrameFile, error: unknown): false {
    bytes -= file.bytes
    warn(`cannot write to spool ${folder}: ${error instanceof Error ? error.message : String(error)}`)
    removeHalf(join(folder, `${file.name}.tmp`))
    return false
  }
  function keep(file: FrameFile): true {
    const at = frames.findIndex(({ name }) => name > file.name)
    frames.splice(at === -1 ? frames.length : at, 0, file)
    return true
  }

  async function write(file: FrameFile, { body }: SpoolFrame): Promise<boolean> {
    try {
      await writeFile(join(folder, `${file.name}.tmp`), body, { mode: 0o600, flush: true })
      await rename(join(folder, `${file.name}.tmp`), join(folder, file.name))
      return true
    } catch (error) {
      return refuse(file, error)
    }
  }
  async function remove({ name, bytes: size }: FrameFile): Promise<void> {
    bytes -= size
    await rm(join(folder, name), { force: true }).catch((error: unknown) => warn(`failed to remove a spool file: ${String(error)}`))
  }

  return {
    async append(frame, isWanted = () => true) {
      const file = plan(frame)
      if (file === undefined || !(await write(file, frame))) return false
      if (isWanted()) return keep(file)
      await remove(file)
      return true
    },
    appendNow(frame) {
      const file = plan(frame)
      if (file === undefined) return false
      try {
        writeFileSync(join(folder, `${file.name}.tmp`), frame.body, { mode: 0o600, flush: true })
        renameSync(join(folder, `${file.name}.tmp`), join(folder, file.name))
        return keep(file)
      } catch (error) {
        return refuse(file, error)
      }
    },
    async findFirst() {
      const [file] = frames
      if (file === undefined) return undefined
      const body = await readFile(join(folder, file.name)).catch(() => undefined)
      return { body: body && concatBytes([body]), spans: file.spans }
    },
    async removeFirst() {
      const file = frames.shift()
      if (file !== undefined) await remove(file)
    },
    async replaceFirst(replacing) {
      const files: FrameFile[] = []
      for (const frame of replacing) {
        const file = claim(frame)
        if (await write(file, frame)) files.push(file)
        else {
          for (const written of files) await remove(written)
          return false
        }
      }
      const [first] = frames.splice(0, 1, ...files)
      if (first !== undefined) await remove(first)
      return true
    },
    async recover() {
      for (const file of listFrames(folder)) {
        if (!isAbandoned(file.name, { folder, host })) continue
        const name = file.name.replace(/-[^-]+-(\d+\.)/, `-${writer}-$1`)
        // The process that renames a file first owns it; other renames fail.
        const isOurs = await rename(join(folder, file.name), join(folder, name)).then(
          () => true,
          () => false,
        )
        if (isOurs) keep({ ...file, name })
      }
      return frames.reduce((sum, { spans }) => sum + spans, 0)
    },
  }
}

/** Including its parents. Node's recursive form never returns if a file system reports for any path that it does not exist. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    makeFolder(dirname(path))
    mkdirSync(path, { mode: 0o700 })
  }
}

/** Removes an incomplete file. If that fails, the file does not exist, or nothing more can be done. */
function removeHalf(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    return
  }
}

function sizeOfFolder(folder: string, warn: (message: string) => void): number {
  try {
    makeFolder(folder)
  } catch (error) {
    warn(`cannot create spool ${folder}: ${error instanceof Error ? error.message : String(error)}`)
  }
  return listFrames(folder).reduce((sum, file) => sum + file.bytes, 0)
}

/** Oldest first. Other files, and those removed meanwhile, are skipped. */
function listFrames(folder: string): FrameFile[] {
  try {
    return readdirSync(folder)
      .toSorted()
      .flatMap((name) => {
        const [, spans] = /^\d{14}-\d{9}-[^-]+-(\d{1,9})\.pb$/.exec(name) ?? []
        const stat = spans === undefined ? undefined : statSync(join(folder, name), { throwIfNoEntry: false })
        return stat === undefined ? [] : [{ name, bytes: stat.size, spans: Number(spans) }]
      })
  } catch {
    return []
  }
}

/** Whether no live process will send this file. Processes of this machine are checked; those of other machines are given a day. */
function isAbandoned(name: string, { folder, host }: { folder: string; host: string }): boolean {
  const [, , writer = ''] = name.split('-')
  const [writerHost, pid] = writer.split('_')
  const writtenAt = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
  if (writerHost !== host) return Date.now() - writtenAt > abandonedAfterMs
  if (Number(pid) === process.pid) return writtenAt < performance.timeOrigin
  return !isAlive(Number(pid))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
