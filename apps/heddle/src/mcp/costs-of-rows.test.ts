import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSurfaces, type Surfaces } from '../testing/surfaces.ts'

let surfaces: Surfaces
beforeAll(async () => {
  surfaces = await openSurfaces()
})
afterAll(() => surfaces?.close())

interface Row {
  row_digest: string
  trials: Record<string, unknown>[]
}

test('rows of evaluations say what each trial cost and where that is from; a total alone has no cost', async () => {
  const { client, server } = surfaces
  const project_id = server.newProject()
  const [entity = '', project = ''] = project_id.split('/')
  await client.costs.create({ project_id, costs: { m: { prompt_token_cost: 0.5, completion_token_cost: 2 } } })
  const [root, trace_id] = [randomUUID(), randomUUID()]
  const times = { started_at: '2026-03-01T00:00:00Z', ended_at: '2026-03-01T00:00:01Z' }
  const call = (more: object) => ({ project_id, trace_id, id: randomUUID(), ...times, attributes: {}, inputs: {}, summary: {}, ...more })
  const trial = (row: string, usage: object) => {
    const id = randomUUID()
    const inputs = { model: 'model', example: { row } }
    return [
      call({ id, parent_id: root, op_name: 'Evaluation.predict_and_score', inputs, output: { output: row, scores: { exact: true } } }),
      call({ parent_id: id, op_name: 'Model.predict', summary: { usage } }),
    ]
  }
  const batch = [
    call({ id: root, op_name: 'Evaluation.evaluate' }),
    ...trial('priced', { m: { prompt_tokens: 10, completion_tokens: 2 } }),
    ...trial('alone', { m: { total_tokens: 12 } }),
    ...trial('reported', { unknown: { prompt_tokens: 10, completion_tokens: 2, cost: 0.25 } }),
  ]
  await client.calls.complete({ entity, project, batch: batch as never })

  const expected = {
    priced: { tokens: 12, cost: 9 },
    alone: { tokens: 12, cost: null },
    reported: { tokens: 12, cost: 0.25, reported_uses: 1 },
  }
  const asked = { project: project_id, evaluation_call_ids: [root] }
  const { rows = [] } = (await surfaces.ask('eval_results_query', { ...asked, detail: 'standard' })) as unknown as { rows: Row[] }
  expect(Object.fromEntries(rows.flatMap(({ trials }) => trials.map((one) => [one['outputs'], one])))).toMatchObject(expected)
  for (const { row_digest } of rows) {
    const { evaluations } = (await surfaces.ask('eval_row_get', { ...asked, row_digest })) as unknown as { evaluations: Row[] }
    const [found] = evaluations[0]?.trials ?? []
    expect(found).toMatchObject(expected[found?.['output'] as keyof typeof expected])
  }
})
