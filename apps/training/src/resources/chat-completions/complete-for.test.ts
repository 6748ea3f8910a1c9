import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'

let app: TrainingApp
beforeAll(async () => {
  app = await startTrainingApp()
})
afterAll(() => app.close())

const { signal } = new AbortController()
const request = (model: string) => ({ model, messages: [{ role: 'user', content: 'go' }], max_tokens: 2, seed: 1 })

test('work in a project samples base models and the models of that project, and no others', async () => {
  const project = `p-${randomUUID()}`
  await app.client.models.create({ project, name: 'agent', base_model: 'table' })
  const address = `heddle-artifact:///local/${project}/agent`
  const own = { projectId: `local/${project}`, signal }
  for (const model of ['table', address])
    expect(await app.complete(request(model), own)).toMatchObject({ model, choices: [{ message: { role: 'assistant' } }] })
  const other = { projectId: 'elsewhere/project', signal }
  expect(await app.complete(request('table'), other)).toMatchObject({ model: 'table' })
  await expect(app.complete(request(address), other)).rejects.toMatchObject({ status: 404 })
  await expect(app.complete(request('gpt-9'), own)).rejects.toMatchObject({ status: 404, message: expect.stringContaining('"gpt-9"') })
  await expect(app.complete({ model: 'table' }, own)).rejects.toMatchObject({ status: 422, issues: [{ loc: ['body', 'messages'] }] })
})
