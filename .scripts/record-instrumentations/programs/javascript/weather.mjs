/** The one tool of the programs. It does not know Atlantis. */
export function getWeather({ city }) {
  if (city === 'Atlantis') throw new Error('no weather station in Atlantis')
  return 'sunny, 17 degrees'
}
export const weatherParameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
export const weatherDescription = 'The weather in a city'
export const tripQuestion = 'What is the weather in Ulm?'
export const brokenQuestion = 'What is the weather in Atlantis?'
export const countQuestion = 'Please count to three.'
export const hardQuestion = 'What is six times seven?'
export const refusedQuestion = 'REFUSE this'

/** @throws when the provider does not refuse the request. */
export const expectRefusal = async (work) => {
  const refused = await work().then(
    () => false,
    () => true,
  )
  if (!refused) throw new Error('the request should have been refused')
}
