import { isApiError } from '@heddle/core-api'
import { parseJson } from '@heddle/json'
import type { TracingClient } from '../../connect.ts'

export const project_id = 'old/project'
const [entity, project] = ['old', 'project']
const exact = parseJson('{"one":1.0,"many":12345678901234567890}')
const text = (index: number) => `ü🙂\u0000 ${'lorem ipsum '.repeat(index % 7)}${index}`
const idOf = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`
const timeOf = (index: number, seconds = 0) => new Date(Date.UTC(2026, index % 3, 1, 0, index, seconds)).toISOString()

const aStart = (index: number) => ({
  project_id,
  id: idOf(index),
  trace_id: idOf(1_000 + Math.floor(index / 5)),
  parent_id: index % 5 === 0 ? null : idOf(index - (index % 5)),
  op_name: `op-${index % 4}`,
  started_at: timeOf(index),
  attributes: { index, exact },
  inputs: { text: text(index), nested: { list: [index, null, { deep: true }] } },
})
const anEnd = (index: number) => ({
  project_id,
  id: idOf(index),
  ended_at: timeOf(index, 1 + (index % 50)),
  output: { answer: text(index + 1) },
  exception: index % 9 === 8 ? 'failed' : null,
  summary: { usage: { 'model-a': { prompt_tokens: index, completion_tokens: 2, total_tokens: index + 2, requests: 1 } } },
})

/** A project of its own: its calls would be among all others. */
export const evaluationsProject = 'evaluations'
/** Root calls of two evaluations of the same rows. */
export const evaluationRuns = [idOf(9_000), idOf(9_500)]

function aRun(root: string, run: number) {
  const whole = (index: number, more: object) => ({
    ...aStart(index),
    ...anEnd(index),
    project_id: `${entity}/${evaluationsProject}`,
    id: idOf(9_000 + run * 500 + index),
    trace_id: root,
    exception: null,
    summary: {},
    ...more,
  })
  const model = `weave:///${entity}/${evaluationsProject}/object/model-${run}:v`
  const trials = Array.from({ length: 8 }, (_, row) => {
    const trial = 1 + row * 4
    const example = row < 2 ? `weave:///${entity}/${evaluationsProject}/object/rows:v/attr/rows/id/row${row}` : { row: row % 6, exact }
    const scores = row % 3 === 0 ? { judge: { pass: row % 2 === 0, grade: row / 4 } } : { judge: row, note: 'ü' }
    const below = (index: number, more: object) => whole(trial + index, { parent_id: idOf(9_000 + run * 500 + trial), ...more })
    return [
      whole(trial, {
        parent_id: root,
        op_name: 'Evaluation.predict_and_score',
        inputs: { model, example },
        output: { output: row, scores },
      }),
      below(1, { op_name: 'Model.predict', inputs: { self: model }, summary: anEnd(row).summary }),
      below(2, { op_name: 'judge.score', attributes: { weave: { score: 'true' } }, output: scores.judge }),
      below(3, {
        op_name: row === 5 ? 'late.score' : 'note.score',
        attributes: { weave: { score: 'true' } },
        output: row === 5 ? 0.5 : null,
      }),
    ]
  })
  return [whole(0, { parent_id: null, op_name: 'Evaluation.evaluate', inputs: { self: 'evaluation', model } }), ...trials.flat()]
}

/** Digests of the records that are read by digest alone. */
export interface Written {
  files: string[]
  tables: string[]
}

type Step = (client: TracingClient, written: Written) => Promise<unknown>

/** Writes of every kind of record, in an order of which each next one builds on those before. */
const steps: Record<string, Step> = {
  async 'whole calls'(client) {
    const batch = Array.from({ length: 30 }, (_, index) => ({ ...aStart(index), ...anEnd(index) }))
    await client.calls.complete({ entity, project, batch })
  },
  async 'starts and ends apart'(client) {
    for (let index = 30; index < 45; index++) {
      await client.calls.start({ start: aStart(index) })
      if (index % 3 !== 0) await client.calls.end({ end: anEnd(index) })
    }
    // An end that still waits for its start.
    await client.calls.end({ end: anEnd(45) })
  },
  async 'renames and deletes'(client) {
    await client.calls.update({ project_id, call_id: idOf(1), display_name: 'renamed ü' })
    await client.calls.delete({ project_id, call_ids: [idOf(2), idOf(31)] })
  },
  async spans(client) {
    const spans = Array.from({ length: 20 }, (_, index) => ({
      traceId: `00000000000000000000000000000${String(index % 3).padStart(3, '0')}`.replace(/0$/, '1'),
      spanId: `00000000000f${String(index).padStart(4, '0')}`,
      name: `span ${index}`,
      startTimeUnixNano: `17723232${String(index).padStart(2, '0')}000000000`,
      endTimeUnixNano: `17723232${String(index).padStart(2, '0')}500000000`,
      attributes: [
        { key: 'gen_ai.prompt.0.content', value: { stringValue: text(index) } },
        { key: 'gen_ai.usage.input_tokens', value: { intValue: String(index) } },
      ],
    }))
    const bytes = Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))
    await client.otel.exportTrace({ project_id, bytes, content_type: 'application/json' })
  },
  async objects(client) {
    for (let index = 0; index < 12; index++) {
      const val = { index, exact, text: text(index), ref: `weave:///${project_id}/object/thing-0:latest` }
      await client.objects.create({ obj: { project_id, object_id: `thing-${index % 4}`, val } })
    }
  },
  async files(client, written) {
    for (const index of [0, 1, 2]) {
      const bytes = Buffer.from(text(index).repeat(50))
      const part = { field: 'file', filename: `f${index}`, content_type: undefined, bytes }
      written.files.push((await client.files.create({ project_id, files: [part] })).digest)
    }
  },
  async 'labels of objects'(client) {
    const { obj } = await client.objects.read({ project_id, object_id: 'thing-1', digest: 'v1' })
    await client.objects.addTags({ project_id, object_id: 'thing-1', digest: obj.digest, tags: ['good', 'old'] })
    await client.objects.setAliases({ project_id, object_id: 'thing-1', digest: obj.digest, aliases: ['best'] })
    const { obj: gone } = await client.objects.read({ project_id, object_id: 'thing-2', digest: 'v0' })
    await client.objects.delete({ project_id, object_id: 'thing-2', digests: [gone.digest] })
  },
  async 'links to the registry'(client) {
    const { obj } = await client.objects.read({ project_id, object_id: 'thing-1', digest: 'v1' })
    const ref = `weave:///${project_id}/object/thing-1:${obj.digest}`
    await client.registry.link({ ref, target: { portfolio_name: 'shelf', entity_name: entity, project_name: project }, aliases: ['live'] })
  },
  async tables(client, written) {
    const rows = Array.from({ length: 40 }, (_, index) => ({ index: index % 35, exact, text: text(index) }))
    for (const some of [rows, []]) written.tables.push((await client.tables.create({ table: { project_id, rows: some } })).digest)
  },
  async feedback(client) {
    for (let index = 0; index < 10; index++) {
      const feedback = { project_id, weave_ref: `weave:///${project_id}/call/${idOf(index)}`, feedback_type: 'quality' }
      const { id } = await client.feedback.create({ ...feedback, id: idOf(5_000 + index), payload: { index, note: text(index) } })
      const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } }
      if (index % 4 === 3) await client.feedback.purge({ project_id, query })
    }
  },
  async costs(client) {
    const price = { prompt_token_cost: 0.5, completion_token_cost: 0.25, effective_date: '2026-01-01T00:00:00Z' }
    await client.costs.create({ project_id, costs: { 'model-a': price, 'model-b': price } })
  },
  async evaluations(client) {
    await client.calls.complete({ entity, project: evaluationsProject, batch: evaluationRuns.flatMap(aRun) })
  },
  /** Never read, so that a server that is killed now has them in its journal alone. */
  async 'last calls'(client) {
    const batch = Array.from({ length: 10 }, (_, index) => ({ ...aStart(60 + index), ...anEnd(60 + index) }))
    await client.calls.complete({ entity, project, batch })
  },
}

/** Writes the corpus, but for kinds that the server does not know; these are returned by name. */
export async function writeCorpus(client: TracingClient): Promise<Written & { unknown: string[] }> {
  const written: Written = { files: [], tables: [] }
  const unknown: string[] = []
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step(client, written)
    } catch (error) {
      if (!isApiError(error) || error.status !== 404) throw error
      unknown.push(name)
    }
  }
  return { ...written, unknown }
}
