import { execFileSync } from 'node:child_process'
import { build } from 'esbuild'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** What a program installs, by what it imports. */
export const packages = {
  heddle: '@heddle/otel-exporter',
  'stock protobuf': '@opentelemetry/exporter-trace-otlp-proto',
  'stock JSON': '@opentelemetry/exporter-trace-otlp-http',
  langfuse: '@langfuse/otel',
  phoenix: '@arizeai/phoenix-otel',
} as const

/** What every program that is traced has anyway. */
const present = ['api', 'core', 'resources', 'sdk-trace-base', 'semantic-conventions'].map((name) => `@opentelemetry/${name}`)

const shared = { bundle: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'error', write: false } as const

/** Bytes, minified, of a package with all that it brings beside the SDK. */
export async function measureBundle(name: string, resolveDir: string): Promise<{ bytes: number; gzipBytes: number }> {
  const { outputFiles } = await build({
    ...shared,
    stdin: { contents: `export * from '${name}'`, resolveDir },
    minify: true,
    external: present,
  })
  const contents = outputFiles[0]?.contents ?? new Uint8Array()
  return { bytes: contents.length, gzipBytes: gzipSync(contents).length }
}

/** Milliseconds in which each package loads in a program that has loaded the SDK, one figure a round. The packages take turns. */
export async function measureImports(folder: string, rounds: number): Promise<Record<string, number[]>> {
  const own = await build({
    ...shared,
    stdin: { contents: `export * from '${packages.heddle}'`, resolveDir: import.meta.dirname },
    external: ['@opentelemetry/*'],
  })
  // Its sources are TypeScript here; installed it is this one file.
  writeFileSync(join(folder, 'heddle-entry.mjs'), own.outputFiles[0]?.contents ?? '')
  const times: Record<string, number[]> = {}
  for (let round = 0; round < rounds; round++) {
    for (const [label, name] of Object.entries(packages)) {
      const program = [
        `await import('@opentelemetry/sdk-trace-base')`,
        'const begin = performance.now()',
        `await import('${label === 'heddle' ? './heddle-entry.mjs' : name}')`,
        'console.log(performance.now() - begin)',
        'process.exit(0)',
      ].join('\n')
      writeFileSync(join(folder, 'import.mjs'), program)
      const printed = execFileSync(process.execPath, [join(folder, 'import.mjs')], { encoding: 'utf8' })
      ;(times[label] ??= []).push(Number(printed.trim()))
    }
  }
  return times
}
