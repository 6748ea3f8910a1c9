import files, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { watched, type Watch } from './watch.ts'

const kinds: readonly [RegExp, string][] = [
  [/\/journal\/\w+\/\d+\.rows$/, 'rows'],
  [/\/journal\/\w+\/\d+\.(blocks|written)$/, 'records'],
  [/\/journal\/\w+$/, 'journal folder'],
  [/\/blobs\/incoming\/[^/]+$/, 'staged blob'],
  [/\/blobs\/\w{2}\/\w{2}$/, 'blob folder'],
  [/\/blobs\/\w{2}\/\w{2}\/\w{64}$/, 'blob'],
]

const kindOf = (path: string) => kinds.find(([pattern]) => pattern.test(path))?.[1] ?? 'other file'

/** Watches what the process does to files of the journal and to blobs: `open`, `write`, `sync`, `cut`, `close`, `remove` and `rename to`, with the kind of file. */
export function watchFiles(watch: Watch): void {
  const { open, rename, rm } = { ...files }
  Object.assign(files, {
    async open(path: string, flags?: string, mode?: number) {
      const kind = kindOf(path)
      return watchHandle(watch, await watched(watch, `open ${kind}`, () => open(path, flags, mode)), kind)
    },
    rename: (from: string, to: string) => watched(watch, `rename to ${kindOf(to)}`, () => rename(from, to)),
    rm: (path: string, options?: object) => watched(watch, `remove ${kindOf(path)}`, () => rm(path, options)),
  })
  syncBuiltinESMExports()
}

function watchHandle(watch: Watch, handle: FileHandle, kind: string): FileHandle {
  const write = handle.write.bind(handle) as (bytes: Uint8Array, from: number, length?: number) => Promise<{ bytesWritten: number }>
  const writev = handle.writev.bind(handle) as (chunks: Uint8Array[]) => Promise<{ bytesWritten: number }>
  const beginWrite = (bytes: Uint8Array) => write(bytes, 0, bytes.byteLength >> 1)
  const named =
    <Args extends unknown[]>(verb: string, work: (...args: Args) => Promise<void>) =>
    (...args: Args) =>
      watched(watch, `${verb} ${kind}`, () => work.call(handle, ...args))
  return Object.assign(handle, {
    write: (bytes: Uint8Array, from = 0) =>
      watched(
        watch,
        `write ${kind}`,
        () => write(bytes, from),
        () => beginWrite(bytes.subarray(from)),
      ),
    writev: (chunks: Uint8Array[]) =>
      watched(
        watch,
        `write ${kind}`,
        () => writev(chunks),
        () => beginWrite(Buffer.concat(chunks)),
      ),
    sync: named('sync', handle.sync),
    datasync: named('sync', handle.datasync),
    truncate: named('cut', handle.truncate),
    close: named('close', handle.close),
  })
}
