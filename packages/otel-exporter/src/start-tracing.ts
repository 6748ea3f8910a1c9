import { createRequire, register as registerHook } from 'node:module'
import { pathToFileURL } from 'node:url'
import { context, diag, DiagConsoleLogger, DiagLogLevel, propagation, trace } from '@opentelemetry/api'
import { findSdk, type PropagatorName, type Provider, type Sdk } from './find-sdk.ts'
import { HeddleSpanProcessor } from './heddle-span-processor.ts'
import { readEnvironment } from './settings/environment.ts'
import type { ProcessorOptions } from './settings/processor-options.ts'
import { createVariables, type Variables } from './settings/read-variables.ts'
import type { SpanProcessor } from './spans/readable-span.ts'

/** An instrumentation of any library, as far as it matters here. */
interface Instrumentation {
  setTracerProvider(provider: unknown): void
  enable(): void
}

export interface RegisterOptions extends ProcessorOptions {
  instrumentations?: readonly Instrumentation[] | undefined
  /** Processors besides the one of Heddle. They see each span before it, and are flushed before it: what they end then is sent with the rest. */
  spanProcessors?: readonly SpanProcessor[] | undefined
}

/** Tracing that was started, or not, where `isActive` is false. */
export interface Tracing {
  isActive: boolean
  /** Keeps the process alive until it settles. @throws Error with counts, when spans are left after the time limit. */
  flush(): Promise<void>
  /** Sends the remaining spans, within 5 seconds unless set otherwise, and keeps the process alive until then. Never rejects. */
  shutdown(): Promise<void>
}

const inactive: Tracing = { isActive: false, flush: async () => undefined, shutdown: async () => undefined }

/**
 * Starts tracing to Heddle if the program has no tracing yet, with `OTEL_` and `HEDDLE_` variables as settings and `spans: 'llm'` unless set. If a
 * provider is registered already, nothing is changed and one warning explains how to extend it. Flushes when the process ends.
 */
export function register(options: RegisterOptions = {}): Tracing {
  const environment = options.environment ?? readEnvironment()
  const warn = (message: string) => diag.createComponentLogger({ namespace: '@heddle/otel-exporter' }).warn(message)
  const variables = createVariables(environment, warn)
  if (variables.flag('OTEL_SDK_DISABLED') === true || (options.disabled ?? variables.flag('HEDDLE_DISABLED')) === true) return inactive
  const sdk = findSdk(variables)
  if (typeof sdk === 'string') return refuse(sdk)
  const spans = options.spans ?? variables.oneOf(['llm', 'all'], 'HEDDLE_SPANS')
  const processor = new HeddleSpanProcessor({ ...options, spans: spans ?? 'llm' })
  const provider = sdk.createProvider([...(options.spanProcessors ?? []), ...toProcessors(sdk, processor, variables, warn)])
  if (!trace.setGlobalTracerProvider(provider)) {
    void provider.shutdown().catch(() => undefined)
    return refuse('the program already has a tracer provider; add new HeddleSpanProcessor() to its span processors')
  }
  startLog(variables)
  if (variables.text('OTEL_CONFIG_FILE') !== undefined) warn('OTEL_CONFIG_FILE is not supported; use environment variables')
  startContext(sdk, variables, warn)
  addLoaderHook()
  for (const instrumentation of options.instrumentations ?? []) {
    instrumentation.setTracerProvider(provider)
    instrumentation.enable()
  }
  return endWithProcess({ provider, processor, warn, isFilterChosen: spans !== undefined })
}

/** Logs a problem, to the console where no logger is set up, so that missing spans can be explained. */
function refuse(problem: string): Tracing {
  process.emitWarning(problem, { code: 'HEDDLE_TRACING' })
  return inactive
}

function toProcessors(sdk: Sdk, heddle: SpanProcessor, variables: Variables, warn: (message: string) => void): SpanProcessor[] {
  const names = (variables.text('OTEL_TRACES_EXPORTER') ?? 'otlp').split(',').map((name) => name.trim())
  return names.flatMap((name) => {
    if (name === 'otlp') return [heddle]
    if (name === 'console') return [sdk.createConsoleProcessor()]
    if (name !== 'none') warn(`OTEL_TRACES_EXPORTER must be otlp, console or none, got "${name}"`)
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
  context.setGlobalContextManager(sdk.createContextManager().enable())
  const names = (variables.text('OTEL_PROPAGATORS') ?? 'tracecontext,baggage').split(',').map((name) => name.trim())
  const propagators = names.flatMap((name): PropagatorName[] => {
    if (name === 'tracecontext' || name === 'baggage') return [name]
    if (name !== 'none') warn(`OTEL_PROPAGATORS must be tracecontext, baggage or none, got "${name}"`)
    return []
  })
  propagation.setGlobalPropagator(sdk.createPropagator(propagators))
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
  provider: Provider
  processor: HeddleSpanProcessor
  warn(message: string): void
  /** Whether the program selects its spans. */
  isFilterChosen: boolean
}

/** Handles signals only where the program has no handlers, and then exits as without one. */
function endWithProcess({ provider, processor, warn, isFilterChosen }: Started): Tracing {
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
  process.once('exit', () => {
    processor.spillNow()
    const { queued, inFlight, ended, filtered } = processor.stats()
    if (queued + inFlight > 0)
      warn(`the process exited before ${queued + inFlight} spans were sent, and they are lost; set HEDDLE_SPOOL_DIR to keep them`)
    if (!isFilterChosen && ended === 0 && filtered > 0)
      warn(
        `no span was sent, because none of ${filtered} is about a model; HEDDLE_SPANS=all sends every span, HEDDLE_SPANS=llm ends this warning`,
      )
  })
  return { isActive: true, flush: () => provider.forceFlush(), shutdown }
}
