/** An agent of one call over a model that repeats the question, for programs that load a copy of the package themselves. */
export function createAgent({ createAgentTracing }) {
  const repeat = async (_url, init) => {
    const { messages } = JSON.parse(init.body)
    const content = `${messages.at(-1).content}!`
    const logprobs = { content: [{ token: content, logprob: -1, bytes: null, top_logprobs: [] }], refusal: null }
    return Response.json({ model: 'm', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content }, logprobs }] })
  }
  const agent = createAgentTracing({ fetch: repeat, environment: {} })
  const ask = (content) =>
    agent.fetch('http://model.test/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
    })
  return { agent, ask }
}

/** Continues the attempt, calls the model from code that is unaware of the attempt, and returns the recorded part. */
export async function continueAttempt(copy, carrier, name) {
  const { agent, ask } = createAgent(copy)
  const part = agent.continueTrajectory(carrier)
  await part.run(async () => {
    await ask(`${name} of ${part.attemptIndex}`)
    copy.activeTrajectory().metric(name, 1)
  })
  return part.finish()
}
