import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** How far a span is taken on its way to the store: to a span, to a call, to the bytes of its row. Each begins with the ones before it. */
export const stageNames = ['decode', 'map', 'prepare'] as const

export type StageName = (typeof stageNames)[number]

/** One step, done for all spans of a request. */
export type Stages = Record<StageName, () => unknown>

/** What the benchmark uses of the tracing service, of whichever checkout. */
interface TracingModules {
  decodeProtobuf: (typeof import('../../apps/tracing/src/otlp/decode/decode-protobuf.ts'))['decodeProtobuf']
  mapRequest: (typeof import('../../apps/tracing/src/otlp/map/map-request.ts'))['mapRequest']
  prepareSpans: (typeof import('../../apps/tracing/src/views/otel/prepare-spans.ts'))['prepareSpans']
}

const headers = { project: 'acme/demo', run: undefined }
const options = { conflicts: 'keep', maskSecrets: true } as const

/** The steps for one protobuf request, by the sources of the tracing service in a folder. */
export async function loadStages(folder: string, bytes: Buffer): Promise<Stages> {
  const { decodeProtobuf, mapRequest, prepareSpans } = await loadTracing(folder)
  const prepare = () => prepareSpans({ bytes, encoding: 'protobuf', headers, options, userId: 'benchmark' })
  const prepared = prepare()
  if (prepared.status !== 'prepared' || prepared.rejected > 0) throw new Error('the spans of the benchmark were refused')
  return { decode: () => decodeProtobuf(bytes), map: () => mapRequest(decodeProtobuf(bytes), headers, options), prepare }
}

async function loadTracing(folder: string): Promise<TracingModules> {
  const load = <T>(path: string) => import(pathToFileURL(join(folder, path)).href) as Promise<T>
  const [decode, map, prepare] = await Promise.all([
    load<Pick<TracingModules, 'decodeProtobuf'>>('otlp/decode/decode-protobuf.ts'),
    load<Pick<TracingModules, 'mapRequest'>>('otlp/map/map-request.ts'),
    load<Pick<TracingModules, 'prepareSpans'>>('views/otel/prepare-spans.ts'),
  ])
  return { decodeProtobuf: decode.decodeProtobuf, mapRequest: map.mapRequest, prepareSpans: prepare.prepareSpans }
}
