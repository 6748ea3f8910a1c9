import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { findKernelSet } from '../kernels/kernels.ts'
import { createEngineHost } from './engine-host.ts'
import type { EngineProcessConfig, FromEngine, ToEngine } from './messages.ts'

// Node 20 has the relaxed instructions behind a flag; later ones have them, and not the flag.
if (findKernelSet() === 'plain' && process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd')

const send = (message: FromEngine) => {
  if (process.connected) process.send?.(message)
}
// The server exited while this module was loading; no `disconnect` event will follow.
if (!process.connected) process.exit(1)
const receive = createEngineHost(JSON.parse(process.argv[2] ?? '{}') as EngineProcessConfig, send)
process.on('message', (message) => receive(message as ToEngine))
process.once('disconnect', () => process.exit(0))
// A signal to the process group also reaches the server, which decides when to stop.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
send({ kind: 'ready' })
