import { parentPort, workerData } from 'node:worker_threads'
import { unpackZstd } from './unpack-zstd.ts'

export interface ZstdTask {
  packed: Uint8Array
  /** Most bytes that it may unpack to. */
  capacity: number
}

// A separate thread unpacks one large body, then ends and frees its memory.
const { packed, capacity } = workerData as ZstdTask
const unpacked = await unpackZstd(packed, { capacity })
parentPort?.postMessage(unpacked, unpacked ? [unpacked.buffer as ArrayBuffer] : [])
