import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { startTinyApp, type TinyApp } from '../../../testing/start-tiny-app.ts'
import { aDatum, openTinker, type TinkerClient } from '../testing/tinker-client.ts'
import { maxCallsOfStep } from './step-trace.ts'
import type { TracedCall } from './traced-call.ts'

let tiny: TinyApp
let tinker: TinkerClient
let recorded: (TracedCall & { projectId: string })[] = []
let store = async (): Promise<void> => undefined
beforeAll(async () => {
  tiny = await startTinyApp({
    async recordCalls(projectId, calls) {
      await store()
      recorded.push(...calls.map((call) => ({ ...call, projectId })))
    },
  })
})
afterAll(() => tiny.close())
beforeEach(async () => {
  recorded = []
  store = async () => undefined
  tinker = await openTinker(tiny.app)
})

const datum = aDatum([5, 9, 12, 40])
const sampler = (of: object) =>
  tiny.app.client.tinker.createSamplingSession({ session_id: tinker.session_id, sampling_session_seq_id: 0, ...of })
const named = (op: string) => recorded.filter(({ op_name }) => op_name === `tinker.${op}`)
const waitFor = (op: string, count = 1) => vi.waitFor(() => expect(named(op)).toHaveLength(count), 60_000)

test('a request that fails is recorded with the reason that the client reads, and the step continues', async () => {
  const id = await tinker.createModel()
  await expect(tinker.pass(id, [aDatum([1, 600])])).rejects.toThrow('token 600 is outside the vocabulary')
  await tinker.pass(id, [datum])
  await tinker.step(id)
  await waitFor('step')
  const reason = expect.stringContaining('token 600 is outside the vocabulary') as string
  expect(named('forward_backward')).toMatchObject([
    { exception: reason, output: null, inputs: { loss_fn: 'cross_entropy', sequences: 1, tokens: 2 } },
    { exception: null },
  ])
  expect(named('step')).toMatchObject([{ exception: null, output: { sequences: 1, targets: 3, requests: 3, is_skipped: false } }])
  await tinker.close()
})

test('a step whose gradients are not finite is recorded as one that changed no weight', async () => {
  const id = await tinker.createModel()
  await tinker.pass(id, [aDatum([1, 2], { logprobs: [-1], advantages: [Infinity] })], { lossFunction: 'importance_sampling' })
  await tinker.step(id)
  await waitFor('step')
  expect(named('step')[0]!.output).toMatchObject({ loss: null, loss_sum: null, grad_norm: null, is_skipped: true })
  await tinker.close()
})

test('requests since the last optimizer step become a separate step when the session ends', async () => {
  const id = await tinker.createModel()
  await tinker.step(id)
  await tinker.pass(id, [datum], { forwardOnly: true })
  await tinker.close()
  await waitFor('step', 2)
  expect(named('step').map(({ run, output }) => [run?.step, output?.['is_skipped']])).toEqual([
    [1, false],
    [2, true],
  ])
  expect(named('forward')[0]!.parent_id).toBe(named('step')[1]!.id)
})

test('samples of a base model are traces of their own in a thread of the session, with their texts', async () => {
  const { sampling_session_id } = await sampler({ base_model: 'tiny' })
  await tinker.sample(sampling_session_id, [97, 98], { num_samples: 9, sampling_params: { max_tokens: 2, seed: 1, stop: [] } })
  await waitFor('sample')
  const [call] = named('sample')
  expect(call).toMatchObject({
    projectId: `local/${tinker.project}`,
    parent_id: null,
    thread_id: tinker.session_id,
    run: null,
    inputs: { base_model: 'tiny', step: null, prompt_tokens: 2, num_samples: 9 },
    usage: { model: 'tiny', promptTokens: 2, completionTokens: 18 },
    output: { num_samples: 9, sampled_tokens: 18 },
  })
  expect(call!.output!['samples']).toHaveLength(8)
  expect(call!.inputs['prompt']).toEqual(expect.stringMatching(/./))
  await tinker.close()
})

test('a store that does not answer delays no request', async () => {
  let go = (): void => undefined
  store = () => new Promise<void>((resolve) => (go = resolve))
  const id = await tinker.createModel()
  for (let step = 0; step < 3; step += 1) {
    await tinker.pass(id, [datum])
    await tinker.step(id)
  }
  expect(recorded).toEqual([])
  store = async () => undefined
  go()
  await waitFor('step', 3)
  expect(named('forward_backward')).toHaveLength(3)
  await tinker.close()
})

test.each(inject('long') ? ['requests of a step beyond the most that are recorded'] : [])('%s are counted in its root', async () => {
  const id = await tinker.createModel({ base_model: 'tiny' })
  const { sampling_session_id } = await tiny.app.client.tinker
    .saveWeightsForSampler({ ...tinker.nextOf(id), sampling_session_seq_id: 7 })
    .then((promised) => tinker.read<{ sampling_session_id: string }>(promised))
  const asked = { sampling_params: { max_tokens: 1, stop: [] } }
  for (let at = 0; at < maxCallsOfStep; at += 50)
    await Promise.all(Array.from({ length: 50 }, () => tinker.sample(sampling_session_id, [97], asked)))
  await tinker.step(id)
  await waitFor('step')
  expect(named('step')[0]!.output).toMatchObject({ requests: maxCallsOfStep + 1, untraced: 1 })
  const children = recorded.filter(({ parent_id }) => parent_id !== null)
  expect(children).toHaveLength(maxCallsOfStep)
  await tinker.close()
})
