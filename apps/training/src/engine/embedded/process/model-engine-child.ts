import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { findKernelSet } from '../kernels/kernels.ts'
import { singleThread } from '../kernels/native/blas-library.ts'
import { answerTrial } from './answer-trial.ts'
import { createEngineHost } from './engine-host.ts'
import type { EngineProcessConfig, FromEngine, ToEngine } from './messages.ts'
import { tryArgument } from './try-native-library.ts'

// Node 20 has the relaxed instructions behind a flag; later ones have them, and not the flag.
if (findKernelSet() === 'plain' && process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd')
// Libraries read them as they are loaded.
// oxlint-disable-next-line no-restricted-properties
Object.assign(process.env, singleThread)

const [, , first = '{}', library = ''] = process.argv
if (first === tryArgument) process.send?.(answerTrial(library), () => process.exit(0))
else serve(JSON.parse(first) as EngineProcessConfig)

function serve(config: EngineProcessConfig): void {
  const send = (message: FromEngine) => {
    if (process.connected) process.send?.(message)
  }
  // The server exited while this module was loading; no `disconnect` event will follow.
  if (!process.connected) process.exit(1)
  const receive = createEngineHost(config, send)
  process.on('message', (message) => receive(message as ToEngine))
  process.once('disconnect', () => process.exit(0))
  // A signal to the process group also reaches the server, which decides when to stop.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => undefined)
  send({ kind: 'ready' })
}
