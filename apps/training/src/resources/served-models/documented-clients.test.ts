import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type Anthropic from '@anthropic-ai/sdk'
import { codeBlocksIn } from '@heddle/testing'
import type OpenAI from 'openai'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTinyApp, type TinyApp } from '../../testing/start-tiny-app.ts'

const programsOf = (document: string) => {
  const page = readFileSync(new URL(`../../../../../${document}`, import.meta.url), 'utf8')
  return codeBlocksIn(document, page).flatMap(({ language, code }) => (language === 'ts' ? [code] : []))
}
const examples = programsOf('docs/serving-trained-models.md')
const folder = mkdtempSync(join(tmpdir(), 'heddle-served-models-'))

let tiny: TinyApp
let model: string
beforeAll(async () => {
  tiny = await startTinyApp()
  ;({ name: model } = await tiny.createModel())
  vi.stubGlobal('fetch', tiny.fetch)
  vi.stubEnv('OPENAI_BASE_URL', 'http://heddle.test/v1')
  vi.stubEnv('OPENAI_API_KEY', tiny.app.apiKey)
  vi.stubEnv('ANTHROPIC_BASE_URL', 'http://heddle.test')
  vi.stubEnv('ANTHROPIC_API_KEY', tiny.app.apiKey)
})
afterAll(async () => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  await tiny.close()
  rmSync(folder, { recursive: true })
})

/** Runs a program that has examples of the page, with a model of the test, and returns what it exports. */
async function run(name: string, program: string): Promise<unknown> {
  const file = join(folder, name)
  const here = program
    .replaceAll('local/default/adder', model)
    .replace("'openai'", `'${import.meta.resolve('openai')}'`)
    .replace("'@anthropic-ai/sdk'", `'${import.meta.resolve('@anthropic-ai/sdk')}'`)
  writeFileSync(file, here)
  return import(pathToFileURL(file).href)
}

test('the page has five programs', () => {
  expect(examples).toHaveLength(5)
})

test("OpenAI's client gets a chat, a response that continues another, and log-probabilities of a prompt", async () => {
  const [chat = '', responses = '', prompt = ''] = examples
  const logprobs = `export const logprobs = await (async () => { ${prompt.replace('\nchoices[0]', '\nreturn choices[0]')} })()`
  const ran = (await run('openai.ts', [chat, responses, logprobs, 'export { choices, first, next }'].join('\n'))) as {
    choices: OpenAI.ChatCompletion.Choice[]
    first: OpenAI.Responses.Response
    next: OpenAI.Responses.Response
    logprobs: (number | null)[]
  }
  expect(ran.choices[0]?.message).toMatchObject({ role: 'assistant' })
  expect(ran.next.previous_response_id).toBe(ran.first.id)
  expect(ran.logprobs[0]).toBeNull()
  expect(ran.logprobs[1]).toBeLessThan(0)
})

test("Anthropic's client gets a message, and with the headers of a trajectory it is recorded", async () => {
  const again = `export const recorded = await agent.messages.create({ model: 'local/default/adder', max_tokens: 2, messages: [{ role: 'user', content: 'hi' }] })`
  const ran = (await run('anthropic.ts', [...examples.slice(3), again, 'export { message }'].join('\n'))) as {
    message: Anthropic.Message
    recorded: Anthropic.Message
  }
  expect(ran.message).toMatchObject({ type: 'message', role: 'assistant' })
  const [, project = '', name = ''] = model.split('/')
  const { data } = await tiny.app.client.models.list({ project, name })
  expect(await tiny.app.client.recordedTrajectories.read({ model_id: data[0]!.id, trajectory_id: 'attempt-1' })).toMatchObject({
    group_id: '3+4',
  })
})

test("OpenAI's client fine-tunes a base model on a file, and chats with the result", async () => {
  vi.stubEnv('OPENAI_PROJECT_ID', 'default')
  const data = join(folder, 'orders.jsonl')
  const row = {
    messages: [
      { role: 'user', content: '3+4=' },
      { role: 'assistant', content: '7' },
    ],
  }
  writeFileSync(data, JSON.stringify(row))
  const [program = ''] = programsOf('docs/fine-tuning.md')
  const here = program.replace("'orders.jsonl'", JSON.stringify(data)).replace("'heddle-nano'", "'tiny'")
  const { client, job } = (await run('fine-tuning.ts', `${here}\nexport { client, job }`)) as {
    client: OpenAI
    job: OpenAI.FineTuning.FineTuningJob
  }
  const read = () => client.fineTuning.jobs.retrieve(job.id)
  await expect.poll(async () => (await read()).status).toBe('succeeded')
  const { choices } = await client.chat.completions.create({
    model: (await read()).fine_tuned_model!,
    messages: [{ role: 'user', content: '3+4=' }],
    max_tokens: 2,
  })
  expect(choices[0]?.message).toMatchObject({ role: 'assistant' })
})
