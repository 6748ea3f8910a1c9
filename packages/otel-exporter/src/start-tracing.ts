import { createRequire, register as registerHook } from 'node:module'
import { pathToFileURL } from 'node:url'
import { diag, DiagConsoleLogger, DiagLogLevel, propagation, trace, type ContextManager, type TextMapPropagator } from '@opentelemetry/api'
import { context } from '@opentelemetry/api'
import type { SpanProcessor } from '@opentelemetry/sdk-trace-base'
import { HeddleSpanProcessor } from './heddle-span-processor.ts'
import { readEnvironment } from './settings/environment.ts'
import type { ProcessorOptions } from './settings/processor-options.ts'
import { createVariables, type Variables } from './settings/read-variables.ts'

/** An instrumentation of any library, as far as it matters here. */
interface Instrumentation {
  setTracerProvider(provider: unknown): void
  enable(): void
}

export interface RegisterOptions extends ProcessorOptions {
  instrumentations?: readonly Instrumentation[] | undefined
  /** Processors beside the one of Heddle. */
  spanProcessors?: readonly SpanProcessor[] | undefined
}

/** Tracing that was started, or not, where `isActive` is false. */
export interface Tracing {
  isActive: boolean
  /** @throws Error with counts, when spans are left after the time limit. */
  flush(): Promise<void>
  /** Sends what is left, within 5 seconds unless set otherwise. Never rejects. */
  shutdown(): Promise<void>
}

/** What is used of the packages of the SDK, which the program installs. */
interface Sdk {
  trace: {
    NodeTracerProvider: new (config: { spanProcessors: SpanProcessor[]; resource?: unknown }) => {
      forceFlush(): Promise<void>
      shutdown(): Promise<void>
      getTracer(name: string): never
    }
    BatchSpanProcessor: new (exporter: unknown) => SpanProcessor
    ConsoleSpanExporter: new () => unknown
  }
  resources: {
    detectResources(config: { detectors: unknown[] }): { merge(other: unknown): unknown }
    envDetector: unknown
    defaultResource(): { merge(other: unknown): unknown }
  }
  core: {
    CompositePropagator: new (config: { propagators: TextMapPropagator[] }) => TextMapPropagator
    W3CTraceContextPropagator: new () => TextMapPropagator
    W3CBaggagePropagator: new () => TextMapPropagator
  }
  contexts: { AsyncLocalStorageContextManager: new () => ContextManager }
}

const inactive: Tracing = { isActive: false, flush: async () => undefined, shutdown: async () => undefined }

/**
 * Starts tracing to Heddle where the program has none yet, with `OTEL_` and `HEDDLE_` variables as settings and `spans: 'llm'` unless set.
 * Where a provider is registered already, nothing is changed and one warning says what to add to it. Flushes when the process ends.
 */
export function register(options: RegisterOptions = {}): Tracing {
  const environment = options.environment ?? readEnvironment()
  const warn = (message: string) => diag.createComponentLogger({ namespace: '@heddle/otel-exporter' }).warn(message)
  const variables = createVariables(environment, warn)
  if (variables.flag('OTEL_SDK_DISABLED') === true || (options.disabled ?? variables.flag('HEDDLE_DISABLED')) === true) return inactive
  const sdk = findSdk()
  if (typeof sdk === 'string') return refuse(sdk)
  const processor = new HeddleSpanProcessor({
    ...options,
    spans: options.spans ?? variables.oneOf(['llm', 'all'], 'HEDDLE_SPANS') ?? 'llm',
  })
  const provider = new sdk.trace.NodeTracerProvider({
    spanProcessors: [...toProcessors(sdk, processor, variables, warn), ...(options.spanProcessors ?? [])],
    resource: sdk.resources.defaultResource().merge(sdk.resources.detectResources({ detectors: [sdk.resources.envDetector] })),
  })
  if (!trace.setGlobalTracerProvider(provider)) {
    void provider.shutdown().catch(() => undefined)
    return refuse('the program has a tracer provider already; add to its span processors: new HeddleSpanProcessor()')
  }
  startLog(variables)
  if (variables.text('OTEL_CONFIG_FILE') !== undefined) warn('OTEL_CONFIG_FILE is not read; use variables')
  startContext(sdk, variables, warn)
  addLoaderHook()
  for (const instrumentation of options.instrumentations ?? []) {
    instrumentation.setTracerProvider(provider)
    instrumentation.enable()
  }
  return endWithProcess({ provider, processor })
}

/** Told to the log, and to the console where nobody has set up a log: who sees nothing arrive must find out why. */
function refuse(problem: string): Tracing {
  process.emitWarning(problem, { code: 'HEDDLE_TRACING' })
  return inactive
}

/** The packages as the program sees them, else as this one does. A text says what is missing. */
function findSdk(): Sdk | string {
  for (const from of [`${process.cwd()}/package.json`, import.meta.url]) {
    try {
      const find = createRequire(from)
      const below = createRequire(find.resolve('@opentelemetry/sdk-trace-node'))
      const base = createRequire(below.resolve('@opentelemetry/sdk-trace-base'))
      return {
        trace: find('@opentelemetry/sdk-trace-node') as Sdk['trace'],
        resources: base('@opentelemetry/resources') as Sdk['resources'],
        core: below('@opentelemetry/core') as Sdk['core'],
        contexts: below('@opentelemetry/context-async-hooks') as Sdk['contexts'],
      }
    } catch {
      continue
    }
  }
  return 'tracing needs a package that is not installed: npm install @opentelemetry/api @opentelemetry/sdk-trace-node'
}

function toProcessors(sdk: Sdk, heddle: SpanProcessor, variables: Variables, warn: (message: string) => void): SpanProcessor[] {
  const names = (variables.text('OTEL_TRACES_EXPORTER') ?? 'otlp').split(',').map((name) => name.trim())
  return names.flatMap((name) => {
    if (name === 'otlp') return [heddle]
    if (name === 'console') return [new sdk.trace.BatchSpanProcessor(new sdk.trace.ConsoleSpanExporter())]
    if (name !== 'none') warn(`OTEL_TRACES_EXPORTER names "${name}", which is not one of otlp, console and none`)
    return []
  })
}

const logLevels: Readonly<Record<string, DiagLogLevel>> = {
  none: DiagLogLevel.NONE,
  error: DiagLogLevel.ERROR,
  warn: DiagLogLevel.WARN,
  info: DiagLogLevel.INFO,
  debug: DiagLogLevel.DEBUG,
  verbose: DiagLogLevel.VERBOSE,
  all: DiagLogLevel.ALL,
}

function startLog(variables: Variables): void {
  const level = variables.oneOf(Object.keys(logLevels), 'OTEL_LOG_LEVEL') ?? 'warn'
  diag.setLogger(new DiagConsoleLogger(), { logLevel: logLevels[level] ?? DiagLogLevel.WARN, suppressOverrideMessage: true })
}

function startContext(sdk: Sdk, variables: Variables, warn: (message: string) => void): void {
  const manager = new sdk.contexts.AsyncLocalStorageContextManager()
  context.setGlobalContextManager(manager.enable())
  const known: Record<string, () => TextMapPropagator> = {
    tracecontext: () => new sdk.core.W3CTraceContextPropagator(),
    baggage: () => new sdk.core.W3CBaggagePropagator(),
  }
  const names = (variables.text('OTEL_PROPAGATORS') ?? 'tracecontext,baggage').split(',').map((name) => name.trim())
  const propagators = names.flatMap((name) => {
    if (known[name] === undefined && name !== 'none')
      warn(`OTEL_PROPAGATORS names "${name}", which is not one of tracecontext, baggage and none`)
    return known[name]?.() ?? []
  })
  propagation.setGlobalPropagator(new sdk.core.CompositePropagator({ propagators }))
}

/** Lets instrumentations see modules that are imported. Without the package of instrumentations there are none to see them. */
function addLoaderHook(): void {
  for (const from of [`${process.cwd()}/package.json`, import.meta.url]) {
    try {
      registerHook(pathToFileURL(createRequire(from).resolve('@opentelemetry/instrumentation/hook.mjs')))
      return
    } catch {
      continue
    }
  }
}

interface Started {
  provider: { forceFlush(): Promise<void>; shutdown(): Promise<void> }
  processor: HeddleSpanProcessor
}

/** Signals are taken only where the program takes them by nobody else, and then end it as they would have. */
function endWithProcess({ provider, processor }: Started): Tracing {
  let ending: Promise<void> | undefined
  const shutdown = () => {
    ending ??= provider.shutdown().catch(() => undefined)
    return ending
  }
  const onSignal = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) > 1) return void shutdown()
    void shutdown().finally(() => {
      process.removeListener(signal, onSignal)
      process.kill(process.pid, signal)
    })
  }
  process.once('beforeExit', () => void shutdown())
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  process.once('exit', () => processor.spillNow())
  return { isActive: true, flush: () => provider.forceFlush(), shutdown }
}
