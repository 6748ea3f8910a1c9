// n8n with its own exporter, by the variables of its page: a workflow with an agent, run by its webhook, also with a question that is refused.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { refusedQuestion, tripQuestion } from './weather.mjs'

const { CLIENT_PAGES, HOME, OPENAI_BASE_URL, OTEL_EXPORTER_OTLP_ENDPOINT } = process.env
const startLimitMs = 120_000
const exportWaitMs = 8_000
const id = 'tripPlanner00001'
const credentials = { openAiApi: { id: 'standInModel0001', name: 'Stand-in' } }

const workflow = {
  id,
  name: 'Trip planner',
  settings: { executionOrder: 'v1' },
  nodes: [
    {
      id: 'n1',
      name: 'Question',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      position: [0, 0],
      webhookId: 'plan-trip',
      parameters: { path: 'plan-trip', httpMethod: 'POST', responseMode: 'lastNode', options: {} },
    },
    {
      id: 'n2',
      name: 'Planner',
      type: '@n8n/n8n-nodes-langchain.agent',
      typeVersion: 3,
      position: [200, 0],
      parameters: { promptType: 'define', text: '={{ $json.body.question }}', options: { systemMessage: 'You plan trips.' } },
    },
    {
      id: 'n3',
      name: 'Model',
      type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
      typeVersion: 1.2,
      position: [100, 200],
      parameters: { model: { __rl: true, mode: 'id', value: 'gpt-5-mini' }, options: { maxRetries: 0 } },
      credentials,
    },
  ],
  connections: {
    Question: { main: [[{ node: 'Planner', type: 'main', index: 0 }]] },
    Model: { ai_languageModel: [[{ node: 'Planner', type: 'ai_languageModel', index: 0 }]] },
  },
}
const credential = { ...credentials.openAiApi, type: 'openAiApi', data: { apiKey: 'none', url: OPENAI_BASE_URL } }

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}
/** The variables of the page, with the address of the stand-in. */
const [, lines] = /^```sh\n(.*?)^```/ms.exec(readFileSync(join(CLIENT_PAGES, 'n8n.md'), 'utf8'))
const ofPage = Object.fromEntries([...lines.matchAll(/^export (\w+)="?(.*?)"?$/gm)].map(([, name, value]) => [name, value]))
const port = await freePort()
const env = {
  PATH: process.env.PATH,
  HOME,
  ...ofPage,
  N8N_OTEL_EXPORTER_OTLP_ENDPOINT: OTEL_EXPORTER_OTLP_ENDPOINT,
  N8N_PORT: port,
  N8N_LISTEN_ADDRESS: '127.0.0.1',
  N8N_RUNNERS_BROKER_PORT: await freePort(),
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
}
const n8n = fileURLToPath(new URL('../node_modules/n8n/bin/n8n', import.meta.url))
const command = (...words) => execFileSync(process.execPath, [n8n, ...words], { env, stdio: ['ignore', 'ignore', 'inherit'] })
writeFileSync(join(HOME, 'credentials.json'), JSON.stringify([credential]))
writeFileSync(join(HOME, 'workflow.json'), JSON.stringify([workflow]))
command('import:credentials', `--input=${join(HOME, 'credentials.json')}`)
command('import:workflow', `--input=${join(HOME, 'workflow.json')}`)
command('publish:workflow', `--id=${id}`)

const server = spawn(process.execPath, [n8n, 'start'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
const ask = (question) =>
  fetch(`http://127.0.0.1:${port}/webhook/plan-trip`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ question }),
  })
const until = Date.now() + startLimitMs
let answer
while (answer?.ok !== true && Date.now() < until) {
  answer = await ask(tripQuestion).catch(() => undefined)
  if (answer?.ok !== true) await new Promise((resolve) => setTimeout(resolve, 1_000))
}
if (answer?.ok !== true) throw new Error(`the workflow does not answer: ${answer?.status} ${await answer?.text()}`)
await ask(refusedQuestion)
await new Promise((resolve) => setTimeout(resolve, exportWaitMs))
server.kill('SIGTERM')
await once(server, 'exit')
