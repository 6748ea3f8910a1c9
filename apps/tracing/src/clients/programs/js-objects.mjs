import { init, MessagesPrompt, ObjectRef, op, StringPrompt, WeaveObject } from 'weave'

const [project_id, url, apiKey] = process.argv.slice(2)
const client = await init(project_id, { printCallLink: false })

const first = await client.publish({ temperature: 0.5, stop: ['\n'], 世界: 'ü🙂' }, 'settings')
const second = await client.publish({ temperature: 1 }, 'settings')
const again = await client.publish({ temperature: 0.5, stop: ['\n'], 世界: 'ü🙂' }, 'settings')
const refusal = ({ status, error }) => ({ status, reason: error.reason, deleted: 'deleted_at' in error })
const valueOf = (version) => new ObjectRef(project_id, 'settings', version).get()

// The client has no words for aliases and deletes: they are sent as they are.
const send = (method, path, body) =>
  fetch(url + path, {
    method,
    body: JSON.stringify({ project_id, ...body }),
    headers: { authorization: `Basic ${btoa(`api:${apiKey}`)}`, 'content-type': 'application/json' },
  }).then((response) => response.status)
await send('PUT', '/objs/settings/aliases', { digest: second.digest, aliases: ['prod'] })
const settings = {
  sameDigest: first.digest === again.digest && first.digest !== second.digest,
  first: await client.get(first),
  latest: await valueOf('latest'),
  byIndex: await valueOf('v1'),
  byAlias: await valueOf('prod'),
  missing: await valueOf('v7').catch(refusal),
}

const text = new StringPrompt({ name: 'greeting', description: 'says hello', content: 'Hello {name}!' })
const messages = new MessagesPrompt({
  name: 'chat',
  messages: [
    { role: 'system', content: 'Be {mood}.' },
    { role: 'user', content: 'Hi' },
  ],
})
const textRef = await client.publish(text)
const messagesRef = await client.publish(messages)
const readText = await StringPrompt.get(client, textRef.uri())
const readMessages = await MessagesPrompt.get(client, `weave:///${project_id}/object/chat:latest`)
const prompts = {
  refs: [textRef.uri(), messagesRef.uri()],
  text: readText.format({ name: 'Ada' }),
  description: readText.description,
  messages: readMessages.format({ mood: 'kind' }),
}

class Retriever extends WeaveObject {
  constructor(parameters) {
    super(parameters)
    this.prompt = parameters.prompt
    this.limit = parameters.limit
    this.search = op(async (query) => [query], { name: 'search' })
  }
}
const retriever = new Retriever({ name: 'my retriever', prompt: text, limit: 3 })
const ask = op(async (retriever, question) => `${question} ${retriever.limit}`, { name: 'ask', parameterNames: ['retriever', 'question'] })
await ask(retriever, 'Why?')
const retrieverRef = await client.publish(retriever)
await client.waitForBatchProcessing()

const gone = await client.publish({ soon: 'gone' }, 'gone')
await send('POST', '/obj/delete', { object_id: 'gone' })
const deleted = await gone.get().catch(refusal)

const seen = { settings, prompts, retriever: { ref: retrieverRef.uri(), value: await client.get(retrieverRef) }, deleted }
process.stdout.write(`\n${JSON.stringify(seen)}`)
