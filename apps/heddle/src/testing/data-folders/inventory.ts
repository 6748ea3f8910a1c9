import { createHash } from 'node:crypto'
import { isApiError } from '@heddle/core-api'
import { canonicalJson } from '@heddle/json'
import type { TracingClient } from '../../connect.ts'
import { evaluationRuns, evaluationsProject, project_id, type Written } from './corpus.ts'

/** What a data folder holds of one kind: the number of records, and a digest over what was given for all of them. */
export interface Holding {
  count: number
  sha256: string
}

/** By kind. A kind of which there is nothing, or that the server does not know, is absent. */
export type Inventory = Record<string, Holding>

type Record_ = Record<string, unknown>

/** The fields that a user gave, and not what a later server may add to its answers. */
const pick = (fields: readonly string[]) => (record: Record_) => Object.fromEntries(fields.map((field) => [field, record[field] ?? null]))

const callFields = 'id trace_id parent_id op_name display_name started_at ended_at inputs output attributes exception'.split(' ')
const objectFields = 'object_id digest version_index is_latest val base_object_class kind'.split(' ')
const feedbackFields = 'id weave_ref feedback_type payload'.split(' ')
const rowFields = 'row_digest raw_data_row evaluations'.split(' ')
const summaryFields = 'evaluation_call_id trial_count scorer_stats evaluation_ref model_ref predict_total_tokens'.split(' ')
const costFields = 'llm_id prompt_token_cost completion_token_cost effective_date provider_id'.split(' ')

async function collect(records: AsyncIterable<unknown>): Promise<Record_[]> {
  const all: Record_[] = []
  for await (const record of records) all.push(record as Record_)
  return all
}

const kinds: Record<string, (client: TracingClient, written: Written) => Promise<Record_[]>> = {
  calls: async (client) => (await collect(client.calls.streamQuery({ project_id }))).map(pick(callFields)),
  usage: async (client) =>
    (await collect(client.calls.streamQuery({ project_id, columns: ['summary'] }))).map(({ id, summary }) => ({
      id,
      usage: (summary as Record_)['usage'] ?? null,
    })),
  'calls by a nested value': async (client) => {
    const query = { $expr: { $gt: [{ $getField: 'attributes.index' }, { $literal: 10 }] } }
    return (await collect(client.calls.streamQuery({ project_id, query }))).map(pick(['id']))
  },
  objects: async (client) => (await client.objects.query({ project_id })).objs.map((object) => pick(objectFields)(object as Record_)),
  'versions of objects': async (client) => {
    const names = [0, 1, 2, 3].flatMap((thing) => ['v0', 'v1', 'v2', 'latest'].map((digest) => ({ object_id: `thing-${thing}`, digest })))
    const found = await Promise.all(names.map((version) => client.objects.read({ project_id, ...version }).catch(unlessMissing)))
    return found.flatMap((one) => (one === undefined ? [] : [pick(objectFields)(one.obj as Record_)]))
  },
  files: async (client, { files }) => {
    const contents = await Promise.all(
      files.map(async (digest) => Buffer.from((await client.files.content({ project_id, digest })).bytes).toString('base64')),
    )
    return contents.map((content) => ({ content }))
  },
  'tags and aliases': async (client) => {
    const { objs } = await client.objects.query({ project_id, include_tags_and_aliases: true } as Parameters<
      TracingClient['objects']['query']
    >[0])
    return objs.map((object) => pick(['object_id', 'digest', 'tags', 'aliases'])(object as Record_))
  },
  tables: async (client, { tables }) =>
    (
      await Promise.all(
        tables.map(async (digest) => (await client.tables.query({ project_id, digest })).rows.map((row) => ({ table: digest, ...row }))),
      )
    ).flat() as Record_[],
  feedback: async (client) => (await client.feedback.query({ project_id })).result.map((one) => pick(feedbackFields)(one as Record_)),
  'results of evaluations': async (client) => {
    const place = { entity: project_id.split('/')[0] ?? '', project: evaluationsProject, evaluation_call_ids: evaluationRuns }
    const asked = { include_summary: true, include_raw_data_rows: true, sort_by: [{ field: 'scores.judge.grade' }] }
    const { rows, summary } = await client.evalResults.query({ ...place, ...asked })
    return [
      ...rows.map((row) => pick(rowFields)(row as Record_)),
      ...(summary?.evaluations ?? []).map((one) => pick(summaryFields)(one as Record_)),
    ]
  },
  costs: async (client) => (await client.costs.query({ project_id })).results.map((one) => pick(costFields)(one as Record_)),
}

/** Reads all that a server has of the corpus. */
export async function takeInventory(client: TracingClient, written: Written): Promise<Inventory> {
  const inventory: Inventory = {}
  for (const [kind, read] of Object.entries(kinds)) {
    const records = await read(client, written).catch(unlessMissing)
    if (records === undefined || records.length === 0) continue
    const lines = records.map((record) => canonicalJson(record)).toSorted()
    inventory[kind] = { count: lines.length, sha256: createHash('sha256').update(lines.join('\n')).digest('hex') }
  }
  return inventory
}

function unlessMissing(error: unknown): undefined {
  if (!isApiError(error) || error.status !== 404) throw error
}
