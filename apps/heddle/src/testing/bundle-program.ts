import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Writes a program that imports packages of this workspace as one file that plain Node runs; imports by URL stay. Returns its path. */
export async function bundleProgram(code: string, folder: string): Promise<string> {
  const outfile = join(folder, 'program.mjs')
  await build({
    // Its imports are resolved from here.
    stdin: { contents: code, loader: 'ts', resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    outfile,
    bundle: true,
    external: ['file:*'],
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
  })
  return outfile
}
