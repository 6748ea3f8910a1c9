import { createRequire } from 'node:module'
import type { ContextManager, TextMapPropagator, Tracer } from '@opentelemetry/api'
import type { SpanProcessor } from './spans/readable-span.ts'
import type { Variables } from './settings/read-variables.ts'

export interface Provider {
  getTracer(name: string): Tracer
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

/** The parts of the program's SDK that are used, of either major version. */
export interface Sdk {
  /** With the resource, the sampler and the limits that the variables of OpenTelemetry name. */
  createProvider(spanProcessors: SpanProcessor[]): Provider
  createConsoleProcessor(): SpanProcessor
  createContextManager(): ContextManager
  createPropagator(names: readonly PropagatorName[]): TextMapPropagator
}

export type PropagatorName = 'tracecontext' | 'baggage'

type Make<T, A extends unknown[] = []> = new (...args: A) => T

interface Resources {
  detectResources(config: { detectors: unknown[] }): unknown
  envDetector: unknown
  defaultResource(): { merge(other: unknown): unknown }
}
interface Core {
  CompositePropagator: Make<TextMapPropagator, [{ propagators: TextMapPropagator[] }]>
  W3CTraceContextPropagator: Make<TextMapPropagator>
  W3CBaggagePropagator: Make<TextMapPropagator>
}
interface Contexts {
  AsyncLocalStorageContextManager: Make<ContextManager>
}
interface Sdk2 {
  NodeTracerProvider: Make<Provider, [{ spanProcessors: SpanProcessor[]; resource: unknown }]>
  BatchSpanProcessor: Make<SpanProcessor, [unknown]>
  ConsoleSpanExporter: Make<unknown>
}
interface Sdk3 {
  TracerProvider: Make<Provider, [object]>
  BatchSpanProcessor: Make<SpanProcessor, [{ exporter: unknown }]>
  ConsoleSpanExporter: Make<unknown>
  AlwaysOnSampler: Make<unknown>
  AlwaysOffSampler: Make<unknown>
  ParentBasedSampler: Make<unknown, [{ root: unknown }]>
  TraceIdRatioBasedSampler: Make<unknown, [number]>
}

/** The SDK as resolved from the program, else from this package. A text when something is missing. */
export function findSdk(variables: Variables): Sdk | string {
  for (const from of [`${process.cwd()}/package.json`, import.meta.url]) {
    for (const load of [loadSdk2, loadSdk3]) {
      try {
        return load(createRequire(from), variables)
      } catch {
        continue
      }
    }
  }
  return 'tracing requires packages that are not installed: npm install @opentelemetry/api @opentelemetry/sdk-trace-node (2.x), or @opentelemetry/sdk-trace @opentelemetry/context-async-hooks (3.x)'
}

function loadSdk2(find: NodeJS.Require): Sdk {
  const sdk = find('@opentelemetry/sdk-trace-node') as Sdk2
  const below = createRequire(find.resolve('@opentelemetry/sdk-trace-node'))
  const base = createRequire(below.resolve('@opentelemetry/sdk-trace-base'))
  const resources = base('@opentelemetry/resources') as Resources
  return {
    ...shared(below('@opentelemetry/core') as Core, below('@opentelemetry/context-async-hooks') as Contexts),
    createProvider: (spanProcessors) => new sdk.NodeTracerProvider({ spanProcessors, resource: detectResource(resources) }),
    createConsoleProcessor: () => new sdk.BatchSpanProcessor(new sdk.ConsoleSpanExporter()),
  }
}

/** In 3.x variables are read by a package that depends on every exporter, so they are read here instead. */
function loadSdk3(find: NodeJS.Require, variables: Variables): Sdk {
  const sdk = find('@opentelemetry/sdk-trace') as Sdk3
  const below = createRequire(find.resolve('@opentelemetry/sdk-trace'))
  const resources = below('@opentelemetry/resources') as Resources
  return {
    ...shared(below('@opentelemetry/core') as Core, find('@opentelemetry/context-async-hooks') as Contexts),
    createProvider: (spanProcessors) =>
      new sdk.TracerProvider({
        spanProcessors,
        resource: detectResource(resources),
        sampler: toSampler(sdk, variables),
        spanLimits: toSpanLimits(variables),
      }),
    createConsoleProcessor: () => new sdk.BatchSpanProcessor({ exporter: new sdk.ConsoleSpanExporter() }),
  }
}

function shared(core: Core, contexts: Contexts): Pick<Sdk, 'createContextManager' | 'createPropagator'> {
  const known: Record<PropagatorName, () => TextMapPropagator> = {
    tracecontext: () => new core.W3CTraceContextPropagator(),
    baggage: () => new core.W3CBaggagePropagator(),
  }
  return {
    createContextManager: () => new contexts.AsyncLocalStorageContextManager(),
    createPropagator: (names) => new core.CompositePropagator({ propagators: names.map((name) => known[name]()) }),
  }
}

function detectResource({ defaultResource, detectResources, envDetector }: Resources): unknown {
  return defaultResource().merge(detectResources({ detectors: [envDetector] }))
}

const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Undefined for the SDK's default. */
function toSampler(sdk: Sdk3, variables: Variables): unknown {
  const name = variables.oneOf(samplerNames, 'OTEL_TRACES_SAMPLER')
  if (name === undefined) return undefined
  const root = toRootSampler(sdk, name.replace('parentbased_', ''), variables)
  return name.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root
}

function toRootSampler(sdk: Sdk3, name: string, variables: Variables): unknown {
  if (name === 'traceidratio') return new sdk.TraceIdRatioBasedSampler(variables.rate('OTEL_TRACES_SAMPLER_ARG') ?? 1)
  return name === 'always_off' ? new sdk.AlwaysOffSampler() : new sdk.AlwaysOnSampler()
}

function toSpanLimits(variables: Variables): object {
  const limit = (...names: string[]) => variables.count(0, ...names)
  return {
    attributeCountLimit: limit('OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT', 'OTEL_ATTRIBUTE_COUNT_LIMIT'),
    attributeValueLengthLimit: limit('OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT', 'OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT'),
    eventCountLimit: limit('OTEL_SPAN_EVENT_COUNT_LIMIT'),
    linkCountLimit: limit('OTEL_SPAN_LINK_COUNT_LIMIT'),
    attributePerEventCountLimit: limit('OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT'),
    attributePerLinkCountLimit: limit('OTEL_LINK_ATTRIBUTE_COUNT_LIMIT'),
  }
}
