import { parentPort, workerData } from 'node:worker_threads'
import { unpackZstd } from './unpack-zstd.ts'

export interface ZstdTask {
  packed: Uint8Array
  /** Most bytes that it may unpack to. */
  capacity: number
}

// A thread of its own unpacks one large body: it ends with it, and so does its memory.
const { packed, capacity } = workerData as ZstdTask
const unpacked = await unpackZstd(packed, { capacity })
parentPort?.postMessage(unpacked, unpacked ? [unpacked.buffer as ArrayBuffer] : [])
