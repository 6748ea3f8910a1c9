import { fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { NativeLibraryError } from '../kernels/native/blas-library.ts'
import type { NativeChoice } from '../kernels/native/native-choice.ts'

/** The answer of a process that tried a library. */
export type LibraryTrial = { choice: NativeChoice } | { problem: string }

/** The first argument of the engine's process by which it tries a library, the second, and ends. */
export const tryArgument = 'try-library'

const limitMs = 60_000

/**
 * Tries a library for products of matrices in a process of its own, which it may end.
 * @param entry the module that the engine's process runs
 * @param library path of a file, or a name that the system's loader finds
 * @throws NativeLibraryError when it cannot be loaded, or does not compute the bits of the engine
 */
export async function tryNativeLibrary({ entry, library }: { entry: URL; library: string }): Promise<NativeChoice> {
  const path = fileURLToPath(entry)
  const loader = path.endsWith('.ts') ? ['--import', pathToFileURL(createRequire(entry).resolve('tsx')).href] : []
  const child = fork(path, [tryArgument, library], { execArgv: loader, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], timeout: limitMs })
  const tried = await new Promise<LibraryTrial>((resolve, reject) => {
    child.once('message', (message) => resolve(message as LibraryTrial))
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      resolve({ problem: `a process that tried the library "${library}" ended (${signal ?? `exit code ${code}`})` }),
    )
  })
  if ('problem' in tried) throw new NativeLibraryError(tried.problem)
  return tried.choice
}
