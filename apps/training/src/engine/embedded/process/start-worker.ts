import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread with a module of this folder, by its name without extension. A thread of Node 20 cannot start with a TypeScript module, so the
 * source is imported after a loader. The build puts the module next to this one.
 */
export function startWorker(name: string, options: WorkerOptions): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL(`./${name}.js`, import.meta.url), { execArgv: [], ...options })
  const [loader, entry] = [import.meta.resolve('tsx/esm/api'), new URL(`./${name}.ts`, import.meta.url).href]
  const code = `import('${loader}').then(({ register }) => { register(); return import('${entry}') })`
  return new Worker(code, { execArgv: [], ...options, eval: true })
}
