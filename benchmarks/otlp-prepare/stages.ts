import { callsTable, rowEncoder } from '@heddle/datastore'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The steps of a span on its way to the store, in their order; `prepare` begins with a `decode` of its own. */
export const stageNames = ['decode', 'prepare', 'merge', 'encode'] as const

export type StageName = (typeof stageNames)[number]

/** One step, done for all spans of a request. */
export type Stages = Record<StageName, () => unknown>

/** What the benchmark uses of the tracing service, of whichever checkout. */
interface TracingModules {
  decodeProtobuf: (typeof import('../../apps/tracing/src/otlp/decode-protobuf.ts'))['decodeProtobuf']
  prepareSpans: (typeof import('../../apps/tracing/src/resources/otel/prepare-spans.ts'))['prepareSpans']
  mergeCall: (typeof import('../../apps/tracing/src/resources/calls/merge-call.ts'))['mergeCall']
}

const headers = { project: 'acme/demo', run: undefined }
const options = { conflicts: 'keep', maskSecrets: true } as const

/** The steps for one protobuf request, by the sources of the tracing service in a folder. */
export async function loadStages(folder: string, bytes: Buffer): Promise<Stages> {
  const { decodeProtobuf, prepareSpans, mergeCall } = await loadTracing(folder)
  const prepare = () => prepareSpans({ bytes, encoding: 'protobuf', headers, options })
  const prepared = prepare()
  if (prepared.status !== 'prepared' || prepared.rejected > 0) throw new Error('the spans of the benchmark were refused')
  const merge = () =>
    prepared.spans.map(({ project, change }) =>
      mergeCall({ project_id: project, id: change.id }, undefined, [change], { version: 1n, retentionDays: null }),
    )
  const merged = merge()
  function encode() {
    const encoder = rowEncoder(callsTable)
    for (const call of merged) if (call !== undefined) encoder.add(call.row)
    return encoder.finish()
  }
  return { decode: () => decodeProtobuf(bytes), prepare, merge, encode }
}

async function loadTracing(folder: string): Promise<TracingModules> {
  const load = <T>(path: string) => import(pathToFileURL(join(folder, path)).href) as Promise<T>
  const [decode, prepare, merge] = await Promise.all([
    load<Pick<TracingModules, 'decodeProtobuf'>>('otlp/decode-protobuf.ts'),
    load<Pick<TracingModules, 'prepareSpans'>>('resources/otel/prepare-spans.ts'),
    load<Pick<TracingModules, 'mergeCall'>>('resources/calls/merge-call.ts'),
  ])
  return { decodeProtobuf: decode.decodeProtobuf, prepareSpans: prepare.prepareSpans, mergeCall: merge.mergeCall }
}
