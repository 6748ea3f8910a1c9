import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { measureZstd } from './measure-zstd.ts'
import { unpackZstd } from './unpack-zstd.ts'
import type { ZstdTask } from './zstd-thread.ts'

/** What unpacks to no more takes a few milliseconds, and the start of a thread would cost more. */
const maxBytesOnLoop = 512 * 1024
const maxThreads = 2
const isSource = import.meta.url.endsWith('.ts')
const threadEntry = new URL(isSource ? './zstd-thread.ts' : './zstd-thread.js', import.meta.url)

const waiting: (() => void)[] = []
let running = 0

/**
 * Unpacks a Zstandard body, large ones in a thread: at most two run at a time, and further ones wait, as many as there are requests with a permit.
 * Rejects with the code `ERR_BUFFER_TOO_LARGE`, as the functions of `node:zlib` do, if it may unpack to more than `maxOutputLength` bytes and the
 * format's checks find no damage; and with an Error if they do.
 */
export async function inflateZstd(packed: Uint8Array, { maxOutputLength }: { maxOutputLength?: number | undefined }): Promise<Uint8Array> {
  const size = measureZstd(packed)
  if (size === undefined) throw new Error('not whole Zstandard frames')
  if (size.maxBytes === 0) return new Uint8Array()
  const most = maxOutputLength ?? size.maxBytes
  if (size.isDeclared && size.maxBytes > most) throw tooLarge(most)
  const capacity = Math.min(size.maxBytes, most)
  const unpacked = await (capacity <= maxBytesOnLoop ? unpackZstd(packed, { capacity }) : unpackInThread(packed, capacity))
  if (unpacked) return unpacked
  throw size.maxBytes > most ? tooLarge(most) : new Error('the Zstandard frames are broken')
}

function tooLarge(maxBytes: number): Error {
  return Object.assign(new RangeError(`unpacks to more than ${maxBytes} bytes`), { code: 'ERR_BUFFER_TOO_LARGE' })
}

/** A thread of Node 20 does not begin with a module in TypeScript, so the source is imported once a loader is there. */
function startWorker(workerData: ZstdTask): Worker {
  const options = { workerData, execArgv: [] }
  if (!isSource) return new Worker(threadEntry, options)
  const loader = import.meta.resolve('tsx/esm/api')
  const code = `import('${loader}').then(({ register }) => { register(); return import('${threadEntry.href}') })`
  return new Worker(code, { ...options, eval: true })
}

async function unpackInThread(packed: Uint8Array, capacity: number): Promise<Uint8Array | undefined> {
  if (running >= maxThreads) await new Promise<void>((resolve) => void waiting.push(resolve))
  else running++
  try {
    const worker = startWorker({ packed, capacity })
    const [unpacked] = (await once(worker, 'message')) as [Uint8Array | undefined]
    return unpacked
  } finally {
    const next = waiting.shift()
    // The next one takes this slot.
    if (next) next()
    else running--
  }
}
