import { isJsonObject } from '@heddle/core-api/internal'
import { attributeText, listOf, numberOf, objectOf, objectsOf, present, textOf, valueOf } from '../foreign-fields.ts'
import { toFeedbackId, toSpanId, toTraceId } from '../foreign-ids.ts'
import type { ForeignFormat, ForeignItem, ForeignRunItem, ForeignSpan, Json, JsonObject, RecordPlace } from '../foreign-item.ts'
import { toNanoseconds } from '../foreign-times.ts'
import { invalid } from '../invalid-record.ts'
import { createLangfuseMedia } from './langfuse-media.ts'

/** Facts about a trace from all of its records. */
interface TraceSurvey {
  roots: number
  /** The root observation that started first. */
  root: { id: string; startNs: bigint; hasInput: boolean; hasOutput: boolean } | undefined
  lastNs: bigint
  /** Fields of the trace, for its root; without a payload that its root has. */
  fields: JsonObject | undefined
}

/**
 * Exports of Langfuse: its blob storage export (enriched observations, or traces and observations; scores), the export of its tables, and what its API
 * returns for traces, observations, scores, dataset items and prompts. Records are distinguished by their fields.
 * https://langfuse.com/docs/api-and-data-platform/features/blob-storage-export-fields
 */
export function createLangfuseFormat(): ForeignFormat {
  const traces = new Map<string, TraceSurvey>()
  const media = createLangfuseMedia()
  /** Ids of runs of datasets. */
  const runs = new Set<string>()

  function surveyOf(traceId: string): TraceSurvey {
    const known = traces.get(traceId) ?? { roots: 0, root: undefined, lastNs: 0n, fields: undefined }
    traces.set(traceId, known)
    return known
  }

  function surveyObservation(record: JsonObject): void {
    const trace = surveyOf(traceOf(record))
    const startNs = startOf(record) ?? 0n
    const endNs = endOf(record) ?? startNs
    if (endNs > trace.lastNs) trace.lastNs = endNs
    if (parentOf(record) !== undefined) return
    trace.roots++
    if (trace.root !== undefined && trace.root.startNs <= startNs) return
    const hasInput = valueOf(record, 'input') !== undefined
    trace.root = { id: textOf(record, 'id') ?? '', startNs, hasInput, hasOutput: valueOf(record, 'output') !== undefined }
  }

  function surveyRecord(record: JsonObject): void {
    const kind = kindOf(record)
    if (kind === 'observation') return surveyObservation(record)
    if (kind === 'run item') return void runs.add(runOf(record))
    if (kind !== 'trace') return
    const { input: _input, output: _output, observations: _observations, scores: _scores, ...fields } = record
    surveyOf(textOf(record, 'id') ?? '').fields = fields
    for (const observation of objectsOf(record, 'observations')) surveyObservation(observation)
  }

  function survey(record: JsonObject): void {
    media.survey(record)
    for (const item of objectsOf(record, 'datasetRunItems', 'dataset_run_items')) runs.add(runOf(item))
    surveyRecord(record)
  }

  /** The one observation without a parent represents its trace; a trace without one, or with several, is a span itself. */
  const isSpan = (traceId: string) => {
    const trace = traces.get(traceId)
    return trace?.fields !== undefined && trace.roots !== 1
  }

  function* readObservation(record: JsonObject, place: RecordPlace): Iterable<ForeignItem> {
    const traceId = traceOf(record)
    const parent = parentOf(record)
    const trace = traces.get(traceId)
    const isRoot = parent === undefined && !isSpan(traceId)
    yield {
      kind: 'span',
      span: {
        ...idsOf(textOf(record, 'id') ?? '', traceId),
        parentSpanId: parent === undefined ? (isRoot ? undefined : toSpanId(`trace ${traceId}`)) : toSpanId(parent),
        name: textOf(record, 'name') ?? textOf(record, 'type') ?? 'observation',
        startNs: startOf(record) ?? invalid(place, 'start_time', valueOf(record, 'start_time', 'startTime')),
        endNs: endOf(record),
        attributes: { ...observationAttributes(record), ...(isRoot && trace?.fields && traceAttributes(withMedia(trace.fields))) },
        error: textOf(record, 'level') === 'ERROR' ? (textOf(record, 'status_message', 'statusMessage') ?? '') : undefined,
        events: [],
      },
    }
  }

  function* readTrace(record: JsonObject, place: RecordPlace): Iterable<ForeignItem> {
    const traceId = textOf(record, 'id') ?? ''
    const trace = surveyOf(traceId)
    if (isSpan(traceId)) yield { kind: 'span', span: spanOfTrace(record, trace, place) }
    else if (trace.root !== undefined && hasOwnPayload(record, trace.root))
      yield { kind: 'skipped', what: 'payloads of traces', reason: 'the only root observation has its own input or output' }
    for (const observation of objectsOf(record, 'observations')) yield* readObservation(observation, place)
    for (const score of objectsOf(record, 'scores')) yield* readScore(score, place)
  }

  function* readScore(record: JsonObject, place: RecordPlace): Iterable<ForeignItem> {
    const observation = textOf(record, 'observation_id', 'observationId')
    const traceId = textOf(record, 'trace_id', 'traceId')
    const session = textOf(record, 'session_id', 'sessionId')
    const root = traceId === undefined ? undefined : isSpan(traceId) ? `trace ${traceId}` : traces.get(traceId)?.root?.id
    const run = textOf(record, 'dataset_run_id', 'datasetRunId')
    const span = observation ?? root
    const call = span !== undefined ? toSpanId(span) : run !== undefined && runs.has(run) ? runCallId(run) : undefined
    if (call === undefined && session === undefined) {
      const subject = traceId === undefined ? 'run of a dataset' : 'trace'
      return yield { kind: 'skipped', what: 'scores', reason: `their ${subject} is not in the export` }
    }
    yield {
      kind: 'score',
      score: {
        id: toFeedbackId('langfuse', textOf(record, 'id') ?? JSON.stringify(place)),
        about: call === undefined ? { thread: session ?? '' } : { call },
        name: textOf(record, 'name') ?? 'score',
        value: scoreValue(record),
        details: present({
          comment: valueOf(record, 'comment'),
          source: valueOf(record, 'source'),
          timestamp: valueOf(record, 'timestamp', 'created_at', 'createdAt'),
          metadata: valueOf(record, 'metadata'),
        }),
        creator: textOf(record, 'author_user_id', 'authorUserId'),
      },
    }
  }

  /** Fields that may refer to files, with these files. */
  function withMedia(record: JsonObject): JsonObject {
    const resolved = mediaFields.flatMap((name) => (Object.hasOwn(record, name) ? [[name, media.resolve(record[name])] as const] : []))
    const observations = objectsOf(record, 'observations').map(withMedia)
    return { ...record, ...Object.fromEntries(resolved), ...(observations.length > 0 && { observations }) }
  }

  return {
    survey,
    media,
    *read(source, place) {
      const record = withMedia(source)
      switch (kindOf(record)) {
        case 'observation':
          return yield* readObservation(record, place)
        case 'trace':
          return yield* readTrace(record, place)
        case 'score':
          return yield* readScore(record, place)
        case 'dataset item':
          return yield { kind: 'row', ...readDatasetItem(record, place) }
        case 'prompt':
          return yield readPrompt(record)
        case 'run item':
          return yield { kind: 'run item', item: readRunItem(record, place) }
        case 'run':
          return yield* readRun(record, place)
        default:
          yield {
            kind: 'skipped',
            what: 'records',
            reason: 'neither a trace, an observation, a score, a dataset item, a run of one nor a prompt',
          }
      }
    },
  }
}

const mediaFields = ['input', 'output', 'metadata', 'expectedOutput', 'expected_output'] as const

type Kind = 'observation' | 'trace' | 'score' | 'dataset item' | 'run' | 'run item' | 'prompt'

function kindOf(record: JsonObject): Kind | undefined {
  const has = (...names: string[]) => names.some((name) => Object.hasOwn(record, name))
  if (has('data_type', 'dataType') || (has('value') && has('source') && has('name'))) return 'score'
  if (has('datasetItemId', 'dataset_item_id') && has('datasetRunId', 'dataset_run_id')) return 'run item'
  if (has('name') && has('datasetId', 'dataset_id', 'datasetName', 'dataset_name')) return 'run'
  if (has('datasetId', 'dataset_id', 'datasetName', 'dataset_name', 'expectedOutput', 'expected_output')) return 'dataset item'
  if (has('prompt') && has('version') && has('name')) return 'prompt'
  if (has('trace_id', 'traceId') && has('start_time', 'startTime')) return 'observation'
  return has('id') && has('timestamp') ? 'trace' : undefined
}

const traceOf = (record: JsonObject) => textOf(record, 'trace_id', 'traceId') ?? ''
const parentOf = (record: JsonObject) => textOf(record, 'parent_observation_id', 'parentObservationId')
const startOf = (record: JsonObject) => toNanoseconds(valueOf(record, 'start_time', 'startTime'))

/** Events have no end: they take no time. */
function endOf(record: JsonObject): bigint | undefined {
  return toNanoseconds(valueOf(record, 'end_time', 'endTime')) ?? (textOf(record, 'type') === 'EVENT' ? startOf(record) : undefined)
}

const idsOf = (id: string, traceId: string) => ({ traceId: toTraceId(traceId), spanId: toSpanId(id) })

function spanOfTrace(record: JsonObject, { root, lastNs }: TraceSurvey, place: RecordPlace): ForeignSpan {
  const id = textOf(record, 'id') ?? ''
  const startNs = toNanoseconds(valueOf(record, 'timestamp')) ?? root?.startNs ?? invalid(place, 'timestamp', record['timestamp'])
  return {
    ...idsOf(`trace ${id}`, id),
    parentSpanId: undefined,
    name: textOf(record, 'name') ?? 'trace',
    startNs,
    endNs: lastNs > startNs ? lastNs : startNs,
    attributes: present({ ...traceAttributes(record), ...payloadAttributes(record, 'langfuse.trace') }),
    error: undefined,
    events: [],
  }
}

function hasOwnPayload(record: JsonObject, { hasInput, hasOutput }: NonNullable<TraceSurvey['root']>): boolean {
  return (valueOf(record, 'input') !== undefined && !hasInput) || (valueOf(record, 'output') !== undefined && !hasOutput)
}

/** The attributes that its own clients send. */
function observationAttributes(record: JsonObject): JsonObject {
  const usage = objectOf(record, 'usage_details', 'usageDetails', 'usage')
  const cost = objectOf(record, 'cost_details', 'costDetails')
  const total = numberOf(record, 'total_cost', 'totalCost', 'calculatedTotalCost')
  return present({
    'langfuse.observation.id': textOf(record, 'id'),
    'langfuse.trace.id': traceOf(record),
    'langfuse.observation.type': textOf(record, 'type')?.toLowerCase(),
    ...payloadAttributes(record, 'langfuse.observation'),
    'langfuse.observation.model.name': textOf(record, 'provided_model_name', 'providedModelName', 'model'),
    'langfuse.observation.model.parameters': textOrJson(valueOf(record, 'model_parameters', 'modelParameters')),
    'langfuse.observation.usage_details': jsonOf(countsOf(usage)),
    'langfuse.observation.cost_details': jsonOf(total === undefined ? cost : { ...cost, total }),
    'langfuse.observation.level': textOf(record, 'level'),
    'langfuse.observation.status_message': textOf(record, 'status_message', 'statusMessage'),
    'langfuse.observation.completion_start_time': textOf(record, 'completion_start_time', 'completionStartTime'),
    'langfuse.observation.prompt.name': textOf(record, 'prompt_name', 'promptName'),
    'langfuse.observation.prompt.version': numberOf(record, 'prompt_version', 'promptVersion'),
    'langfuse.version': textOf(record, 'version'),
    ...metadataAttributes(record, 'langfuse.observation.metadata'),
    ...contextAttributes(record, 'trace_name', 'traceName'),
  })
}

function traceAttributes(fields: JsonObject): JsonObject {
  return present({
    'langfuse.trace.id': textOf(fields, 'id'),
    'langfuse.version': textOf(fields, 'version'),
    ...metadataAttributes(fields, 'langfuse.trace.metadata'),
    ...contextAttributes(fields, 'name'),
  })
}

/** What traces and enriched observations say of a trace. */
function contextAttributes(record: JsonObject, ...traceName: string[]): JsonObject {
  const tags = listOf(record, 'tags')
  return {
    'langfuse.trace.name': textOf(record, ...traceName),
    'user.id': textOf(record, 'user_id', 'userId'),
    'session.id': textOf(record, 'session_id', 'sessionId'),
    'langfuse.trace.tags': tags.length > 0 ? tags : undefined,
    'langfuse.release': textOf(record, 'release'),
    'langfuse.environment': textOf(record, 'environment'),
  }
}

function payloadAttributes(record: JsonObject, prefix: string): JsonObject {
  return {
    [`${prefix}.input`]: textOrJson(valueOf(record, 'input')),
    [`${prefix}.output`]: textOrJson(valueOf(record, 'output')),
  }
}

function metadataAttributes(record: JsonObject, prefix: string): JsonObject {
  return Object.fromEntries(Object.entries(objectOf(record, 'metadata')).map(([key, value]) => [`${prefix}.${key}`, textOrJson(value)]))
}

const textOrJson = (value: Json) => (value === undefined || value === null ? undefined : attributeText(value))
const jsonOf = (value: JsonObject) => (Object.keys(value).length > 0 ? attributeText(value) : undefined)

/** Without the unit and the costs that the older field `usage` holds in addition to the counts. */
function countsOf(usage: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(usage).filter(([name]) => name !== 'unit' && !/cost$/i.test(name)))
}

function scoreValue(record: JsonObject): Json {
  const type = textOf(record, 'data_type', 'dataType')
  const text = textOf(record, 'string_value', 'stringValue')
  if (type === 'BOOLEAN') return numberOf(record, 'value') === 1 || /^true$/i.test(text ?? '')
  return type === 'NUMERIC' ? (numberOf(record, 'value') ?? null) : (text ?? valueOf(record, 'value') ?? null)
}

function readDatasetItem(record: JsonObject, { file }: RecordPlace): { dataset: string; row: JsonObject } {
  return {
    dataset: textOf(record, 'datasetName', 'dataset_name') ?? textOf(record, 'datasetId', 'dataset_id') ?? file,
    row: present({
      id: valueOf(record, 'id'),
      input: valueOf(record, 'input'),
      expected_output: valueOf(record, 'expectedOutput', 'expected_output'),
      metadata: valueOf(record, 'metadata'),
    }),
  }
}

function readPrompt(record: JsonObject): ForeignItem {
  const prompt = record['prompt']
  const template = Array.isArray(prompt) ? prompt.filter(isJsonObject) : attributeText(prompt)
  const labels = listOf(record, 'labels').filter((label) => typeof label === 'string' && label !== 'latest') as string[]
  const details = present({ config: valueOf(record, 'config'), tags: valueOf(record, 'tags') })
  const version = numberOf(record, 'version') ?? 0
  return { kind: 'prompt', prompt: { name: textOf(record, 'name') ?? 'prompt', version, template, details, aliases: labels } }
}

const runOf = (record: JsonObject) => textOf(record, 'dataset_run_id', 'datasetRunId') ?? ''
const runCallId = (runId: string) => toFeedbackId('langfuse run', runId)

function readRunItem(record: JsonObject, place: RecordPlace): ForeignRunItem {
  const runId = runOf(record)
  const observation = textOf(record, 'observation_id', 'observationId')
  const traceId = textOf(record, 'trace_id', 'traceId') ?? invalid(place, 'trace_id', valueOf(record, 'trace_id', 'traceId'))
  return {
    id: toFeedbackId('langfuse run item', textOf(record, 'id') ?? JSON.stringify(place)),
    run: { id: runCallId(runId), name: textOf(record, 'dataset_run_name', 'datasetRunName') ?? runId },
    row: textOf(record, 'dataset_item_id', 'datasetItemId') ?? '',
    traceId: toTraceId(traceId),
    call: observation === undefined ? undefined : toSpanId(observation),
  }
}

/** A run with its items, as the API returns one, or without them, as it lists runs. */
function* readRun(record: JsonObject, place: RecordPlace): Iterable<ForeignItem> {
  const id = textOf(record, 'id') ?? ''
  const details = present({ description: valueOf(record, 'description'), metadata: valueOf(record, 'metadata') })
  const dataset = textOf(record, 'datasetName', 'dataset_name')
  yield { kind: 'run', run: { id: runCallId(id), name: textOf(record, 'name') ?? id, dataset, details } }
  for (const item of objectsOf(record, 'datasetRunItems', 'dataset_run_items')) yield { kind: 'run item', item: readRunItem(item, place) }
}
