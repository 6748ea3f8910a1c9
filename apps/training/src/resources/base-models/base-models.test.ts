import { expect, onTestFinished, test } from 'vitest'
import { startTrainingApp } from '../../testing/start-training-app.ts'

const refusedBaseModels = [{ folder: '/secret/place/qwen', reason: '/secret/place/qwen/model.safetensors is missing' }]

async function startApp() {
  const app = await startTrainingApp({ service: { refusedBaseModels } })
  onTestFinished(() => app.close())
  return app
}

test('folders of base models that cannot be used are listed with their reasons, without where they are', async () => {
  const { client } = await startApp()
  const { data, refused } = await client.baseModels.list({})
  expect(data.map(({ id }) => id)).not.toContain('qwen')
  expect(refused).toEqual([{ name: 'qwen', reason: 'qwen/model.safetensors is missing' }])
})

test('a model cannot begin from such a folder, and its reason is said', async () => {
  const { client } = await startApp()
  await expect(client.models.create({ project: 'p', name: 'm', base_model: 'qwen' })).rejects.toThrow(
    'base_model "qwen" cannot be used: qwen/model.safetensors is missing',
  )
})
