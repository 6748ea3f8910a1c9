/** True when running from source, where modules are TypeScript. */
const isSource = import.meta.url.endsWith('.ts')

/** The module that the engine's process runs. The build puts it next to the command. */
export const engineEntry = isSource
  ? new URL('analytical/engine/engine-child.ts', import.meta.resolve('@heddle/datastore'))
  : new URL('engine-child.js', import.meta.url)

/** The module of the threads that prepare large export requests. */
export const spanWorkerEntry = isSource
  ? new URL('views/otel/span-worker.ts', import.meta.resolve('@heddle/tracing'))
  : new URL('span-worker.js', import.meta.url)

/** The module of the process that runs and trains models. */
export const modelEngineEntry = isSource
  ? new URL('engine/embedded/process/model-engine-child.ts', import.meta.resolve('@heddle/training'))
  : new URL('model-engine-child.js', import.meta.url)
