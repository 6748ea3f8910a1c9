import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../../testing/send.ts'
import { startTinyApp, type TinyApp } from '../../testing/start-tiny-app.ts'
import { loadTokenizer } from '../../tokenizer/load-tokenizer.ts'
import { aDatum, openTinker, type TinkerClient } from './testing/tinker-client.ts'

let tiny: TinyApp
let tinker: TinkerClient
let sampler: string
const prompt = [5, 9, 12, 40]
beforeAll(async () => {
  tiny = await startTinyApp()
  tinker = await openTinker(tiny.app)
  ;({ sampling_session_id: sampler } = await openSampler(0, { base_model: 'tiny' }))
})
afterAll(() => tiny.close())

const openSampler = (sampling_session_seq_id: number, of: object) =>
  tiny.app.client.tinker.createSamplingSession({ session_id: tinker.session_id, sampling_session_seq_id, ...of })
const sample = (more: object = {}, params: object = {}) =>
  tinker.sample(sampler, prompt, { sampling_params: { max_tokens: 8, seed: 3, stop: [], ...params }, ...more })
const tokensOf = ({ sequences }: Awaited<ReturnType<typeof sample>>) => sequences.map(({ tokens }) => [...tokens])

describe('samples', () => {
  test('are the same for the same seed, and differ among those of one request', async () => {
    const [first, second, other] = [await sample({ num_samples: 3 }), await sample({ num_samples: 3 }), await sample({}, { seed: 4 })]
    expect(tokensOf(second)).toEqual(tokensOf(first))
    expect(new Set([...tokensOf(first), ...tokensOf(other)].map(String)).size).toBe(4)
    expect(first.sequences.map(({ stopReason, tokens, logProbabilities }) => [stopReason, tokens.length, logProbabilities.length])).toEqual(
      Array.from({ length: 3 }, () => ['length', 8, 8]),
    )
  })

  test('have an id each, which the answer to the request says', async () => {
    const asked = { sampling_session_id: sampler, prompt: { chunks: [{ tokens: prompt }] }, sampling_params: { max_tokens: 1 } }
    const promised = await tiny.app.client.tinker.sample({ ...asked, num_samples: 2, seq_id: 71 })
    expect(promised.sample_sequence_ids).toHaveLength(2)
    expect(new Set(promised.sample_sequence_ids).size).toBe(2)
    expect(await tiny.app.client.tinker.sample({ ...asked, num_samples: 2, seq_id: 71 })).toEqual(promised)
  })

  test('end with a token that stops them', async () => {
    const [all] = tokensOf(await sample())
    const stop = all![3]!
    const { sequences } = await sample({}, { stop: [stop] })
    const first = all!.indexOf(stop)
    expect(sequences[0]).toMatchObject({ stopReason: 'stop', tokens: Int32Array.from(all!.slice(0, first + 1)) })
  })

  test('end with the token that completes a text that stops them', async () => {
    const tokenizer = await loadTokenizer((await tiny.engine.baseModels())[0]!.folder)
    const [all] = tokensOf(await sample({}, { max_tokens: 20 }))
    const at = all!.findIndex(
      (token, index) => index > 0 && tokenizer.decode([token]).length === 1 && !tokenizer.decode([token]).includes('\uFFFD'),
    )
    const stop = tokenizer.decode([all![at]!])
    const { sequences } = await sample({}, { max_tokens: 20, stop: [stop] })
    const text = tokenizer.decode(sequences[0]!.tokens)
    expect(sequences[0]!.stopReason).toBe('stop')
    expect(text.indexOf(stop)).toBe(text.length - stop.length)
  })

  test('end at the end of a turn unless the list of stops is empty', async () => {
    const { special } = await loadTokenizer((await tiny.engine.baseModels())[0]!.folder)
    const sampledWith = async (params: object) =>
      (await sample({ num_samples: 64 }, { max_tokens: 200, temperature: 2, ...params })).sequences
    const free = await sampledWith({ stop: [] })
    expect(free.every(({ stopReason, tokens }) => stopReason === 'length' && tokens.length === 200)).toBe(true)
    const usual = await sampledWith({ stop: null })
    const stopped = usual.filter(({ stopReason }) => stopReason === 'stop')
    expect(stopped.length).toBeGreaterThan(0)
    expect(stopped.every(({ tokens }) => special.stop.includes(tokens.at(-1)!))).toBe(true)
  })

  test('take the likeliest token at temperature 0', async () => {
    const { sequences } = await sample({ topk_sample_logprobs: 3 }, { temperature: 0 })
    const [{ tokens, top }] = sequences as [(typeof sequences)[0]]
    expect(top!.map((row) => row[0]!.token)).toEqual([...tokens])
    expect(top!.every((row) => row.length === 3)).toBe(true)
  })
})

describe('log-probabilities of the prompt', () => {
  test('are those of a forward pass, without one for the first token', async () => {
    const id = await tinker.createModel()
    const { logProbabilities } = await tinker.pass(id, [aDatum(prompt)], { forwardOnly: true })
    const { promptLogProbabilities } = await sample({ prompt_logprobs: true })
    expect(promptLogProbabilities![0]).toBeNaN()
    for (const [at, value] of logProbabilities[0]!.entries()) expect(promptLogProbabilities![at + 1]).toBeCloseTo(value, 3)
  })

  test('are of the last tokens alone where these are named', async () => {
    const all = (await sample({ prompt_logprobs: true })).promptLogProbabilities!
    const last = (await sample({ prompt_logprobs: true, prompt_logprobs_last_n: 2 })).promptLogProbabilities!
    expect(last.slice(0, 2)).toEqual(Float32Array.of(Number.NaN, Number.NaN))
    expect(last[3]).toBeCloseTo(all[3]!, 5)
  })

  test('come with the likeliest tokens', async () => {
    const asked = { sampling_session_id: sampler, prompt: { chunks: [{ tokens: prompt }] }, sampling_params: { max_tokens: 1 } }
    const promised = await tiny.app.client.tinker.sample({ ...asked, prompt_logprobs: true, topk_prompt_logprobs: 2 })
    const result = await tinker.read<{ topk_prompt_logprobs: unknown[]; prompt_logprobs: unknown[] }>(promised)
    const pair = [expect.any(Number), expect.any(Number)]
    expect(result.topk_prompt_logprobs).toEqual([null, [pair, pair], [pair, pair], [pair, pair]])
    expect(result.prompt_logprobs).toEqual([null, expect.any(Number), expect.any(Number), expect.any(Number)])
  })
})

describe('a sampling session', () => {
  test('of saved weights samples from these, also after the model went on', async () => {
    const id = await tinker.createModel({ model_seq_id: 5 })
    const [before] = tokensOf(await sample())
    for (let step = 0; step < 3; step++) {
      await tinker.pass(id, [aDatum([...prompt, ...before!.map(() => 77)])])
      await tinker.step(id, { learning_rate: 0.05 })
    }
    const path = await tinker.saveForSampler(id, 'moved')
    const promised = await tiny.app.client.tinker.saveWeightsForSampler({ ...tinker.nextOf(id), sampling_session_seq_id: 1 })
    const { sampling_session_id: own } = await tinker.read<{ sampling_session_id: string }>(promised)
    const { sampling_session_id: named } = await openSampler(2, { model_path: path })
    const params = { sampling_params: { max_tokens: 8, seed: 3, stop: [] } }
    const moved = tokensOf(await tinker.sample(own, prompt, params))
    expect(moved).not.toEqual([before])
    await tinker.pass(id, [aDatum([...prompt, 5, 5])])
    await tinker.step(id, { learning_rate: 0.05 })
    await tinker.saveForSampler(id, 'further')
    expect(tokensOf(await tinker.sample(own, prompt, params))).toEqual(moved)
    expect(tokensOf(await tinker.sample(named, prompt, params))).toEqual(moved)
    expect(await tiny.app.client.tinker.readSampler({ sampler_id: named })).toEqual({
      sampler_id: named,
      base_model: 'tiny',
      model_path: path,
    })
  })

  test.each([
    ['nothing', {}, 400, 'base_model and model_path are missing'],
    ['another base model', { base_model: 'huge' }, 400, 'base_model "huge" is not a base model'],
    ['no address', { model_path: 'tinker://x' }, 400, 'is not an address of saved weights'],
    ['weights that are not there', { model_path: 'tinker://x/weights/y' }, 404, 'there are no saved weights at "tinker://x/weights/y"'],
  ])('of %s is refused', async (_, of, status, reason) => {
    await expect(openSampler(9, of)).rejects.toMatchObject({ status, message: expect.stringContaining(reason) })
  })
})

describe('a request for samples is refused by name', () => {
  const asked = () => ({ sampling_session_id: sampler, prompt: { chunks: [{ tokens: prompt }] }, sampling_params: {} })

  test.each([
    [
      'with an image',
      { prompt: { chunks: [{ type: 'image', data: '' }] } },
      'prompt has a chunk of type "image"; only encoded_text is taken',
    ],
    ['without tokens', { prompt: { chunks: [] } }, 'prompt has no tokens'],
    ['for given targets', { target_prompt_logprobs: {} }, 'target_prompt_logprobs is not supported'],
    ['for drawn alternatives', { prompt_alt_tokens_k: 2 }, 'prompt_alt_tokens_k is not supported by this server; leave it out'],
    [
      'that is to be recorded',
      { record_stability_info: true },
      'record_stability_info is not supported by this server; train with another loss than stable_reinforce',
    ],
    ['for more of the prompt than there is', { prompt_logprobs: true, prompt_logprobs_last_n: 4 }, 'it may be 1 to 3'],
  ])('%s', async (_, more, reason) => {
    const { status, body } = await send(tiny.app, 'POST', '/api/v1/asample', { ...asked(), ...more })
    expect([status, body]).toEqual([400, { detail: expect.stringContaining(reason) }])
  })

  test.each([
    ['a temperature below 0', { temperature: -1 }, 'sampling_params.temperature is -1'],
    ['a top_p of 0', { top_p: 0 }, 'sampling_params.top_p is 0'],
    ['no tokens', { max_tokens: 0 }, 'sampling_params.max_tokens is 0'],
    ['a token that no vocabulary has', { stop: [9_999] }, 'sampling_params.stop has the token 9999'],
    ['an empty text', { stop: '' }, 'sampling_params.stop has an empty text'],
  ])('with %s, in the result', async (_, params, reason) => {
    await expect(sample({}, params)).rejects.toThrow(reason)
  })

  test('for a prompt that fills the context', async () => {
    await expect(
      tinker.sample(
        sampler,
        Array.from({ length: 768 }, () => 1),
      ),
    ).rejects.toThrow('prompt has 768 tokens, and tiny takes 768')
  })
})
