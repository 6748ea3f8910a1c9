import { build } from 'esbuild'
import { join } from 'node:path'

const folder = import.meta.dirname

/**
 * Bundles the measured programs and the server as plain JavaScript, so that no loader of TypeScript is measured along. Packages stay outside,
 * except those of this workspace, whose sources they are. Returns the folder.
 */
export async function buildPrograms(outdir: string): Promise<string> {
  await build({
    entryPoints: [join(folder, 'program-child.ts'), join(folder, 'encode-child.ts'), join(folder, '..', 'sink-child.ts')],
    outdir,
    outExtension: { '.js': '.mjs' },
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['@opentelemetry/*', '@langfuse/*', '@arizeai/*'],
    logLevel: 'error',
  })
  return outdir
}
