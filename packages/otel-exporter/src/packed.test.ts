import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { acceptedSpans, startFaultServer, type FaultServer } from './testing/fault-server.ts'
import { createPackedProject, type PackedArchives, packPackages, type PackedProject } from './testing/packed-project.ts'

const installTimeoutMs = 400_000

let server: FaultServer
let archives: PackedArchives
beforeAll(async () => {
  server = await startFaultServer()
  archives = await packPackages()
}, installTimeoutMs)
afterAll(async () => {
  archives?.remove()
  await server.close()
})
beforeEach(() => void server.requests.splice(0))

const variables = () => ({ HEDDLE_BASE_URL: server.url, HEDDLE_API_KEY: 'key', HEDDLE_PROJECT: 'team/app' })
const names = () => acceptedSpans(server).map(({ name }) => name)

/** A program for either form of modules; `sdk` provides what makes spans. */
const program = (imports: string, makeProvider: string) => `
${imports}
const processor = new HeddleSpanProcessor()
const provider = ${makeProvider}
provider.getTracer('app').startSpan('chat', { attributes: { 'gen_ai.request.model': 'm' } }).end()
provider.shutdown().then(() => console.log(processor.stats().sent))
`
const registered = `
const tracer = trace.getTracer('app')
tracer.startActiveSpan('ask', (root) => {
  tracer.startSpan('chat', { attributes: { 'gen_ai.request.model': 'm' } }).end()
  tracer.startSpan('noise').end()
  root.end()
})
`
const types = `
import { HeddleSpanExporter, HeddleSpanProcessor, register, withThread, type ExporterStats } from '@heddle/otel-exporter'
import { HeddleSpanProcessor as EdgeProcessor } from '@heddle/otel-exporter/fetch'
import { tracing } from '@heddle/otel-exporter/register'
const stats: ExporterStats = new HeddleSpanExporter({ apiKey: 'key' }).stats()
const started: Promise<void> = register({ spans: (span) => span.name !== 'noise' }).shutdown()
const inThread: number = withThread('t', () => stats.sent)
// @ts-expect-error a number is not a key
new HeddleSpanExporter({ apiKey: 1 })
console.log(started, inThread, tracing.isActive, new EdgeProcessor({ environment: {} }))
`

/** By the compiler of the workspace, with the declarations of all packages checked too. */
async function check(project: PackedProject, name: string, code: string, [module, moduleResolution]: readonly [string, string]) {
  const compilerOptions = {
    module,
    moduleResolution,
    target: 'es2022',
    lib: ['es2023', 'dom'],
    strict: true,
    noEmit: true,
    types: ['node'],
  }
  const path = project.write(name, code)
  const config = project.write(`tsconfig.${module}.json`, JSON.stringify({ compilerOptions, files: [path] }))
  const tsc = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url))
  return await project.run(tsc, ['-p', config])
}

/** Each is a compilation of all declarations, so most run only in runs of all tests. */
const furtherForms = [
  ['node16', 'node16'],
  ['esnext', 'bundler'],
] as const
const moduleForms = [['nodenext', 'nodenext'], ...(inject('long') ? furtherForms : [])] as const

describe('OpenTelemetry 2.x', () => {
  let project: PackedProject
  beforeAll(async () => {
    project = await createPackedProject(archives, [
      '@opentelemetry/api@1.9.0',
      '@opentelemetry/sdk-trace-node@2.12.0',
      '@opentelemetry/exporter-trace-otlp-http@0.223.1',
      '@types/node@20.19.9',
    ])
  }, installTimeoutMs)
  afterAll(() => project?.remove())

  const provider = 'new NodeTracerProvider({ spanProcessors: [processor] })'
  const asModule = (entry: string) =>
    program(
      `import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'\nimport { HeddleSpanProcessor } from '@heddle/otel-exporter${entry}'`,
      provider,
    )

  test.each(['', '/fetch'])('an ES module imports @heddle/otel-exporter%s', async (entry) => {
    const path = project.write('esm.mjs', asModule(entry))
    expect(await project.run(process.execPath, [path], variables())).toEqual({ code: 0, stdout: '1\n', stderr: '' })
    expect(names()).toEqual(['chat'])
  })

  test.each(['', '/fetch'])('a CommonJS module requires @heddle/otel-exporter%s', async (entry) => {
    const imports = `const { NodeTracerProvider } = require('@opentelemetry/sdk-trace-node')\nconst { HeddleSpanProcessor } = require('@heddle/otel-exporter${entry}')`
    const path = project.write('cjs.cjs', program(imports, provider))
    expect(await project.run(process.execPath, [path], variables())).toEqual({ code: 0, stdout: '1\n', stderr: '' })
    expect(names()).toEqual(['chat'])
  })

  test.each([
    ['an ES module', 'app.mjs', "import { trace } from '@opentelemetry/api'"],
    ['a CommonJS module', 'app.cjs', "const { trace } = require('@opentelemetry/api')"],
  ])('--import starts tracing for %s', async (_, name, imports) => {
    const path = project.write(name, imports + registered)
    const { code, stderr } = await project.run(process.execPath, ['--import', '@heddle/otel-exporter/register', path], variables())
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(names()).toEqual(['chat', 'ask'])
  })

  test('the exporter of OpenTelemetry is built from our variables', async () => {
    const code = `
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { createOtlpHttpExporter } from '@heddle/otel-exporter/otlp-http'
const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(createOtlpHttpExporter())] })
provider.getTracer('app').startSpan('stock').end()
await provider.shutdown()
`
    expect(await project.run(process.execPath, [project.write('stock.mjs', code)], variables())).toMatchObject({ code: 0, stderr: '' })
    expect(names()).toEqual(['stock'])
  })

  test.each(['esm', 'cjs'] as const)('esbuild bundles it into one file that runs (%s)', async (format) => {
    const outfile = join(project.folder, 'bundle', format === 'esm' ? 'app.mjs' : 'app.cjs')
    // The SDK is CommonJS, which requires modules of Node by name.
    const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" }
    await build({
      entryPoints: [project.write('bundled.mjs', asModule(''))],
      outfile,
      bundle: true,
      platform: 'node',
      format,
      logLevel: 'error',
      ...(format === 'esm' && { banner }),
    })
    expect(await project.run(process.execPath, [outfile], variables())).toEqual({ code: 0, stdout: '1\n', stderr: '' })
    expect(names()).toEqual(['chat'])
  })

  test.each(moduleForms)('its types are those of the SDK under %s (%s)', async (...form) => {
    const code = `${types}
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
new NodeTracerProvider({ spanProcessors: [new HeddleSpanProcessor(), new SimpleSpanProcessor(new HeddleSpanExporter())] })
new HeddleSpanProcessor({ processor: new SimpleSpanProcessor(new HeddleSpanExporter()) })
`
    expect(await check(project, 'types.mts', code, form)).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

describe('OpenTelemetry 3.x, on the Node that it needs', () => {
  // What the package `node` of the registry installs, without a script that has to run for it.
  const platform = `node-${process.platform}-${process.arch}`
  let project: PackedProject
  let node: string
  beforeAll(async () => {
    project = await createPackedProject(archives, [
      `${platform}@22.23.3`,
      '@opentelemetry/api@1.10.0',
      '@opentelemetry/sdk-trace@3.1.1',
      '@opentelemetry/context-async-hooks@3.1.1',
      '@opentelemetry/exporter-trace-otlp-http@0.301.0',
      '@types/node@22.15.0',
    ])
    node = join(project.folder, 'node_modules', platform, 'bin', 'node')
  }, installTimeoutMs)
  afterAll(() => project?.remove())

  const provider = 'new TracerProvider({ spanProcessors: [processor] })'

  test.each(['', '/fetch'])('an ES module imports @heddle/otel-exporter%s', async (entry) => {
    const imports = `import { TracerProvider } from '@opentelemetry/sdk-trace'\nimport { HeddleSpanProcessor } from '@heddle/otel-exporter${entry}'`
    const path = project.write('esm.mjs', program(imports, provider))
    expect(await project.run(node, [path], variables())).toEqual({ code: 0, stdout: '1\n', stderr: '' })
    expect(names()).toEqual(['chat'])
  })

  test('a CommonJS module requires it', async () => {
    const imports = `const { TracerProvider } = require('@opentelemetry/sdk-trace')\nconst { HeddleSpanProcessor } = require('@heddle/otel-exporter')`
    const path = project.write('cjs.cjs', program(imports, provider))
    expect(await project.run(node, [path], variables())).toEqual({ code: 0, stdout: '1\n', stderr: '' })
    expect(names()).toEqual(['chat'])
  })

  test('the exporter works behind the batch processor of the SDK, with its filter, masks, threads and counts in front', async () => {
    const code = `
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { context } from '@opentelemetry/api'
import { HeddleSpanExporter, HeddleSpanProcessor, withThread } from '@heddle/otel-exporter'
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
const exporter = new HeddleSpanExporter()
const behind = new BatchSpanProcessor({ exporter })
const provider = new TracerProvider({ spanProcessors: [new HeddleSpanProcessor({ processor: behind, spans: 'llm', mask: 'emails' })] })
const tracer = provider.getTracer('app')
withThread('t-1', () => tracer.startSpan('chat', { attributes: { 'gen_ai.prompt': 'write to ada@example.com' } }).end())
tracer.startSpan('SELECT').end()
await provider.forceFlush()
console.log(exporter.stats().sent)
await provider.shutdown()
`
    expect(await project.run(node, [project.write('behind.mjs', code)], variables())).toEqual({ code: 0, stdout: '1\n', stderr: '' })
    const [span, ...others] = acceptedSpans(server)
    expect(others).toEqual([])
    expect(Object.fromEntries(span?.attributes?.map(({ key, value }) => [key, value.stringValue]) ?? [])).toMatchObject({
      'gen_ai.prompt': 'write to [email]',
      'gen_ai.conversation.id': 't-1',
    })
  })

  test.each<[string, Record<string, string>, string[]]>([
    ['--import starts tracing', {}, ['chat', 'ask']],
    ['HEDDLE_SPANS=all keeps everything', { HEDDLE_SPANS: 'all' }, ['chat', 'noise', 'ask']],
    ['OTEL_TRACES_SAMPLER=always_off sends nothing', { OTEL_TRACES_SAMPLER: 'always_off' }, []],
    ['OTEL_TRACES_SAMPLER=traceidratio sends its part', { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, []],
    ['OTEL_TRACES_SAMPLER=parentbased_always_on sends all', { OTEL_TRACES_SAMPLER: 'parentbased_always_on' }, ['chat', 'ask']],
  ])('%s', async (_, env, expected) => {
    const path = project.write('app.mjs', "import { trace } from '@opentelemetry/api'" + registered)
    const { code, stderr } = await project.run(node, ['--import', '@heddle/otel-exporter/register', path], { ...variables(), ...env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(names()).toEqual(expected)
  })

  test('OTEL_SERVICE_NAME names the resource, and OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT bounds its spans', async () => {
    const path = project.write('app.mjs', "import { trace } from '@opentelemetry/api'" + registered)
    const env = { ...variables(), OTEL_SERVICE_NAME: 'my-service', OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: '0', HEDDLE_SPANS: 'all' }
    await project.run(node, ['--import', '@heddle/otel-exporter/register', path], env)
    expect(server.requests[0]?.body.includes('my-service')).toBe(true)
    expect(acceptedSpans(server).flatMap(({ attributes = [] }) => attributes)).toEqual([])
  })

  test('the exporter of OpenTelemetry is built from our variables', async () => {
    const code = `
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { createOtlpHttpExporter } from '@heddle/otel-exporter/otlp-http'
const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter: createOtlpHttpExporter() })] })
provider.getTracer('app').startSpan('stock').end()
await provider.shutdown()
`
    expect(await project.run(node, [project.write('stock.mjs', code)], variables())).toMatchObject({ code: 0, stderr: '' })
    expect(names()).toEqual(['stock'])
  })

  test.each(moduleForms)('its types are those of the SDK under %s (%s)', async (...form) => {
    const code = `${types}
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
new TracerProvider({ spanProcessors: [new HeddleSpanProcessor(), new SimpleSpanProcessor({ exporter: new HeddleSpanExporter() })] })
`
    expect(await check(project, 'types.mts', code, form)).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})
