import {
  brokenQuestion,
  countQuestion,
  expectRefusal,
  getWeather,
  hardQuestion,
  refusedQuestion,
  tripQuestion,
  weatherDescription,
  weatherParameters,
} from './weather.mjs'

const model = 'gpt-5-mini'
const tools = [{ type: 'function', function: { name: 'get_weather', description: weatherDescription, parameters: weatherParameters } }]

/** The scenes by the client of OpenAI. `around` starts a trace, `aroundTool` a tool. */
export async function callOpenai({ client, around, aroundTool }) {
  async function agent(question) {
    const messages = [
      { role: 'system', content: 'You plan trips.' },
      { role: 'user', content: question },
    ]
    const { choices } = await client.chat.completions.create({ model, messages, tools })
    const [call] = choices[0].message.tool_calls
    const content = await aroundTool('get_weather', JSON.parse(call.function.arguments), getWeather).catch((error) => error.message)
    messages.push(choices[0].message, { role: 'tool', tool_call_id: call.id, content })
    await client.chat.completions.create({ model, messages, tools })
  }
  await around('plan trip', 'trip-7', async () => {
    await agent(tripQuestion)
    const stream = await client.chat.completions.create({
      model,
      messages: [{ role: 'user', content: countQuestion }],
      stream: true,
      stream_options: { include_usage: true },
    })
    for await (const chunk of stream) void chunk
  })
  await around('hard question', 'trip-8', () => client.responses.create({ model, input: hardQuestion }))
  await around('broken tool', 'trip-8', () => agent(brokenQuestion))
  await expectRefusal(() => client.chat.completions.create({ model, messages: [{ role: 'user', content: refusedQuestion }] }))
  await client.embeddings.create({ model: 'text-embedding-3-small', input: 'weather in cities' })
}
