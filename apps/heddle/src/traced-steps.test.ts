import { setTimeout as delay } from 'node:timers/promises'
import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from './test-server/create-test-server.ts'
import { shareBuiltTestServer } from './testing/built-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await shareBuiltTestServer()
})
afterAll(() => server.close())

test(
  'what a client of the Tinker API asks of a model is a trace for each step, in a thread of the model',
  { timeout: 120_000 },
  async () => {
    const { url: baseUrl, apiKey } = server
    const project_id = server.newProject()
    const { tinker } = createClient({ baseUrl, apiKey, contract: training })
    const { calls } = createClient({ baseUrl, apiKey, contract: tracing })
    const resultOf = async <T>({ request_id }: { request_id: string }): Promise<T> => {
      for (;;) {
        const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
        const answer = await fetch(`${baseUrl}/api/v1/retrieve_future`, { method: 'POST', headers, body: JSON.stringify({ request_id }) })
        if (answer.status !== 408) return (await answer.json()) as T
      }
    }

    const { session_id } = await tinker.createSession({ project_id })
    const metadata = { heddle_model: 'stepwise' }
    const asked = { session_id, model_seq_id: 0, base_model: 'org/heddle-nano', user_metadata: metadata }
    const { model_id } = await resultOf<{ model_id: string }>(await tinker.createModel(asked))
    const numbers = (data: number[], dtype = 'float32') => ({ data, dtype, shape: [data.length] })
    const datum = {
      model_input: { chunks: [{ type: 'encoded_text', tokens: [5, 9, 12] }] },
      loss_fn_inputs: { target_tokens: numbers([9, 12, 40], 'int64'), weights: numbers([0, 1, 1]) },
    }
    let seq_id = 0
    const losses: number[] = []
    for (let step = 0; step < 2; step += 1) {
      const body = { model_id, seq_id: ++seq_id, forward_backward_input: { data: [datum, datum], loss_fn: 'cross_entropy' } }
      const bytes = Buffer.from(JSON.stringify(body))
      const passed = await tinker.forwardBackward({ bytes, content_type: 'application/json' })
      losses.push((await resultOf<{ metrics: { 'loss:sum': number } }>(passed)).metrics['loss:sum'])
      await resultOf(await tinker.optimStep({ model_id, seq_id: ++seq_id, adam_params: { learning_rate: 1e-3 } }))
    }
    const number = { model_id, seq_id: ++seq_id, sampling_session_seq_id: 0 }
    const { sampling_session_id } = await resultOf<{ sampling_session_id: string }>(await tinker.saveWeightsForSampler(number))
    const prompt = { chunks: [{ type: 'encoded_text', tokens: [5, 9] }] }
    await resultOf(await tinker.sample({ sampling_session_id, prompt, num_samples: 2, sampling_params: { max_tokens: 3, seed: 1 } }))
    await tinker.finishSession({ session_id })

    const readAll = async () => {
      const read = []
      for await (const call of calls.streamQuery({ project_id, sort_by: [{ field: 'started_at', direction: 'asc' }] })) read.push(call)
      return read
    }
    let recorded = await readAll()
    for (const until = Date.now() + 60_000; recorded.length < 9 && Date.now() < until; recorded = await readAll()) await delay(100)

    const roots = recorded.filter(({ parent_id }) => parent_id === null)
    const below = (id: string) => recorded.filter(({ parent_id }) => parent_id === id).map(({ op_name }) => op_name)
    expect(roots.map(({ id }) => below(id))).toEqual([
      ['tinker.forward_backward', 'tinker.optim_step'],
      ['tinker.forward_backward', 'tinker.optim_step'],
      ['tinker.save_weights_for_sampler', 'tinker.sample'],
    ])
    expect(roots.map(({ op_name }) => op_name)).toEqual(['tinker.step', 'tinker.step', 'tinker.step'])
    expect(new Set(recorded.map(({ trace_id }) => trace_id)).size).toBe(3)
    expect(new Set(recorded.map(({ thread_id, wb_run_id }) => `${thread_id} ${wb_run_id}`))).toEqual(
      new Set([`${model_id} ${project_id}/stepwise`]),
    )
    expect(roots.map(({ wb_run_step, output }) => ({ wb_run_step, output }))).toMatchObject([
      { wb_run_step: 1, output: { loss_sum: losses[0], loss: losses[0]! / 6, sequences: 2, learning_rate: 1e-3, is_skipped: false } },
      { wb_run_step: 2, output: { loss_sum: losses[1] } },
      { wb_run_step: 3, output: { is_skipped: true, requests: 2 } },
    ])
    const sample = recorded.find(({ op_name }) => op_name === 'tinker.sample')!
    expect(sample).toMatchObject({
      inputs: { base_model: 'heddle-nano', step: 1, prompt_tokens: 2, num_samples: 2, max_tokens: 3 },
      output: { num_samples: 2, samples: [{ text: expect.any(String) as string }, {}] },
      summary: { usage: { 'heddle-nano': { prompt_tokens: 2 } }, weave: { status: 'success' } },
    })
    expect(server.errors).toEqual([])
  },
)
