import { expect, test } from 'vitest'
import { startTrainingApp } from '../../testing/start-training-app.ts'
import { tableModelId } from '../../testing/table-engine.ts'

test('a chat is answered while a request of the same key with many choices takes all places that it may have', async () => {
  const app = await startTrainingApp()
  try {
    const { engine, client } = app
    const generate = engine.generate.bind(engine)
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    engine.generate = async function* (request, signal) {
      if (request.seeds.length > 4) await released
      yield* generate(request, signal)
    }
    const ask = (n: number) =>
      client.chatCompletions.create({ model: tableModelId, messages: [{ role: 'user', content: 'hi' }], max_tokens: 2, n })
    let isFinished = false
    const many = Promise.all([ask(128), ask(128)]).finally(() => (isFinished = true))
    for (let chat = 0; chat < 3; chat += 1) await ask(1)
    expect(isFinished).toBe(false)
    release()
    await many
  } finally {
    await app.close()
  }
})
