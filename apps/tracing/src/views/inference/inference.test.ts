import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'
import { parseCatalogue } from './catalogue.ts'
import { fileCatalogue, urlCatalogue } from './read-catalogue.ts'
import { aModel } from './testing/a-model.ts'

let app: TestApp
let folder: string
beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'heddle-catalogue-'))
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const serverWith = async (...models: unknown[]) => {
  const { models: read } = parseCatalogue(JSON.stringify({ data: models }))
  return app.anotherServer({ catalogue: { models: async () => read } })
}
const get = (service: { fetch(request: Request): Promise<Response> }, path: string, headers = {}) =>
  service.fetch(new Request(`http://heddle.test${path}`, { headers }))

describe('listings', () => {
  test('without a catalogue there are no models and no hardware', async () => {
    expect(await app.client.inference.analysisModels({ analysis_vendor: 'any' })).toEqual({ data: [] })
    expect(await app.client.inference.routerModels({ router_vendor: 'any' })).toEqual({ data: [] })
    expect(await app.client.inference.hardware({ hardware_vendor: 'any', model: 'loom-7b' })).toEqual({ hardware: [] })
  })

  test.each(['/inference/analysis/any-vendor/models', '/inference/router/1/models', '/traces/inference/router/x/models'])(
    '%s shows the models of the catalogue as they are, without a credential',
    async (path) => {
      const { service } = await serverWith(aModel(), aModel({ id: 'm-2', deprecation_date: '2027-01-31' }))
      const answer = await get(service, path)
      expect([answer.status, await answer.json()]).toEqual([
        200,
        { data: [aModel(), aModel({ id: 'm-2', deprecation_date: '2027-01-31' })] },
      ])
    },
  )

  test('a date of deprecation that is not set is left out', async () => {
    const { service } = await serverWith({ ...aModel(), deprecation_date: null })
    expect(await (await get(service, '/inference/router/x/models')).text()).not.toContain('deprecation_date')
  })

  test('a wrong credential does not matter', async () => {
    expect((await get(app.service, '/inference/router/x/models', { authorization: 'Bearer wrong' })).status).toBe(200)
  })
})

describe('hardware', () => {
  test.each(['Loom-7B', 'loom-7b', 'LOOM-7B'])('%s is found by its name after the publisher, in any case', async (model) => {
    const { client } = await serverWith(aModel(), aModel({ id: 'other/loom-8b' }))
    expect(await client.inference.hardware({ hardware_vendor: 'any', model })).toEqual({
      hardware: [
        {
          id: 'acme/Loom-7B',
          name: 'Loom 7B',
          type: 'serverless',
          pricing: { cents_per_million_input_tokens: 35, cents_per_million_output_tokens: 140 },
          specs: { quantization: 'bf16' },
        },
      ],
    })
  })

  test.each(['acme/Loom-7B', 'loom', 'unknown'])('%s is no such name', async (model) => {
    const { client } = await serverWith(aModel())
    expect(await client.inference.hardware({ hardware_vendor: 'any', model })).toEqual({ hardware: [] })
  })

  test('a missing model is 422', async () => {
    const answer = await get(app.service, '/inference/any/v2/hardware')
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { detail: [{ loc: ['query', 'model'], msg: 'Field required', type: 'missing' }] },
    ])
  })

  test.each([
    ['0.00000035', 35],
    ['0.000000075', 7.5],
    ['0.00000001', 1],
    ['0.000015', 1_500],
    ['0', 0],
    ['1', 100_000_000],
  ])('%s dollars a token are %d cents a million', async (prompt, cents) => {
    const { client } = await serverWith(aModel({ pricing: { ...aModel().pricing, prompt } }))
    const { hardware } = await client.inference.hardware({ hardware_vendor: 'any', model: 'loom-7b' })
    expect(hardware[0]?.pricing.cents_per_million_input_tokens).toBe(cents)
  })
})

describe('a catalogue', () => {
  test.each<[string, unknown]>([
    ['a price with an exponent', { pricing: { ...aModel().pricing, prompt: '3.5e-7' } }],
    ['a price that is a number', { pricing: { ...aModel().pricing, prompt: 0.1 } }],
    ['an unknown quantization', { quantization: 'int2' }],
    ['an unknown feature', { supported_features: ['magic'] }],
    ['a date of another form', { deprecation_date: '31.1.2027' }],
    ['no name', { name: undefined }],
  ])('leaves out a model with %s and reports it', (_what, change) => {
    const { models, problems } = parseCatalogue(JSON.stringify({ data: [{ ...aModel(), ...(change as object) }, aModel({ id: 'good' })] }))
    expect(models.map(({ id }) => id)).toEqual(['good'])
    expect(problems).toEqual([expect.stringMatching(/^model 0: /)])
  })

  test.each(['[]', '{}', '{"data":{}}', 'null'])('%s is none', (text) => {
    expect(() => parseCatalogue(text)).toThrow('{"data": []}')
  })
})

describe('a catalogue in a file', () => {
  const write = (path: string, ids: string[]) => writeFile(path, JSON.stringify({ data: ids.map((id) => aModel({ id })) }))
  const idsOf = async (catalogue: { models(): Promise<readonly { id: string }[]> }) => (await catalogue.models()).map(({ id }) => id)

  test('is read again when it is replaced, and kept while it is broken or gone', async () => {
    const path = join(folder, 'catalogue.json')
    const problems: string[] = []
    const catalogue = fileCatalogue({ path, onProblem: (problem) => void problems.push(problem) })
    expect(await idsOf(catalogue)).toEqual([])
    await write(path, ['a'])
    expect(await idsOf(catalogue)).toEqual(['a'])
    await write(path, ['a', 'bb'])
    expect(await idsOf(catalogue)).toEqual(['a', 'bb'])
    const before = problems.length
    await writeFile(path, '{"data": [')
    expect(await idsOf(catalogue)).toEqual(['a', 'bb'])
    await rm(path)
    expect(await idsOf(catalogue)).toEqual(['a', 'bb'])
    expect(problems.slice(before)).toEqual([`${path} cannot be read`, `${path} cannot be read`])
  })
})

describe('a catalogue at an address', () => {
  const hourMicros = 3_600_000_000

  async function start(answers: (() => [status: number, body: string])[]) {
    let asked = 0
    const server = createServer((_request, response) => {
      const [status, body] = answers[Math.min(asked, answers.length - 1)]?.() ?? [500, '']
      asked++
      response.writeHead(status).end(body)
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const time = { now: 0 }
    const problems: string[] = []
    const open = (allowed: string[]) =>
      urlCatalogue({
        url: `http://127.0.0.1:${port}/models`,
        outgoing: createOutgoing({ allowed: parseAllowedTargets(allowed) }),
        clock: () => time.now,
        onProblem: (problem) => void problems.push(problem),
      })
    return { open, time, problems, asked: () => asked, catalogue: open(['127.0.0.1']), close: () => server.close() }
  }
  const listing = (id: string) => (): [number, string] => [200, JSON.stringify({ data: [aModel({ id })] })]

  test('is asked once an hour, when somebody wants to see it', async () => {
    const { catalogue, time, asked, close } = await start([listing('old'), listing('new')])
    const ids = async () => (await catalogue.models()).map(({ id }) => id)
    expect(await Promise.all([ids(), ids()])).toEqual([['old'], ['old']])
    time.now += hourMicros - 1
    expect(await ids()).toEqual(['old'])
    expect(asked()).toBe(1)
    time.now += 1
    expect(await ids()).toEqual(['old'])
    await expect.poll(ids).toEqual(['new'])
    expect(asked()).toBe(2)
    close()
  })

  test('keeps what it has when the address fails, and tries again after a minute', async () => {
    const { catalogue, time, problems, close } = await start([listing('kept'), () => [500, ''], () => [200, 'no JSON'], listing('new')])
    await catalogue.models()
    for (const failures of [1, 2]) {
      time.now += hourMicros
      expect(await catalogue.models()).toMatchObject([{ id: 'kept' }])
      await expect.poll(() => problems.length).toBe(failures)
    }
    time.now += 60_000_000
    await catalogue.models()
    await expect.poll(() => catalogue.models()).toMatchObject([{ id: 'new' }])
    close()
  })

  test('is not asked on this machine unless that is allowed', async () => {
    const { open, problems, asked, close } = await start([listing('secret')])
    expect(await open([]).models()).toEqual([])
    expect(asked()).toBe(0)
    expect(problems).toHaveLength(1)
    close()
  })
})
