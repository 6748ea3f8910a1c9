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

const common = { model: 'claude-sonnet-4-5', max_tokens: 4096 }
const tools = [{ name: 'get_weather', description: weatherDescription, input_schema: weatherParameters }]
const asked = (content) => [{ role: 'user', content }]

/** The scenes by the client of Anthropic. */
export async function callAnthropic({ client, around, aroundTool }) {
  async function agent(question) {
    const messages = asked(question)
    const { content } = await client.messages.create({ ...common, system: 'You plan trips.', messages, tools })
    const use = content.find(({ type }) => type === 'tool_use')
    const result = await aroundTool('get_weather', use.input, getWeather).then(
      (output) => ({ content: output }),
      (error) => ({ content: error.message, is_error: true }),
    )
    messages.push({ role: 'assistant', content }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: use.id, ...result }] })
    await client.messages.create({ ...common, system: 'You plan trips.', messages, tools })
  }
  await around('plan trip', 'trip-7', async () => {
    await agent(tripQuestion)
    const stream = await client.messages.create({ ...common, messages: asked(countQuestion), stream: true })
    for await (const event of stream) void event
  })
  await around('hard question', 'trip-8', () =>
    client.messages.create({ ...common, messages: asked(hardQuestion), thinking: { type: 'enabled', budget_tokens: 1024 } }),
  )
  await around('broken tool', 'trip-8', () => agent(brokenQuestion))
  await expectRefusal(() => client.messages.create({ ...common, messages: asked(refusedQuestion) }))
}
