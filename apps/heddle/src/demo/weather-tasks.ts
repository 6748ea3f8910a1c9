import { createRandom } from '@heddle/evaluations'
import { weatherOf } from './weather-tool.ts'

/** A question to the agent, with the answer that the tool gives. One row of the dataset. */
export interface WeatherTask {
  question: string
  city: string
  weather: string
}

/** Questions about some cities are practised, those about the others kept for the evaluations. */
export interface WeatherTasks {
  /** Different tasks for one round, at most all that are practised. The same round has the same ones. */
  ofRound(round: number, count: number): WeatherTask[]
  heldOut: WeatherTask[]
}

const wordings = ['What is the weather in {city}?', 'Weather in {city}?', 'How is the weather in {city}?', 'Get the weather of {city}.']

/** One city in three is held out. */
const heldOutShare = 3

/** Everything follows from the seed. */
export function createWeatherTasks(seed: number): WeatherTasks {
  const cities = shuffled(Object.keys(weatherOf), createRandom(seed))
  const split = Math.floor(cities.length / heldOutShare)
  const practised = cities.slice(split).flatMap(tasksOf)
  return {
    heldOut: cities.slice(0, split).flatMap(tasksOf),
    ofRound: (round, count) => shuffled(practised, createRandom(seed + 1 + round)).slice(0, count),
  }
}

/** Tasks that are practised, of which a round takes some. */
export const practisedTasks = (Object.keys(weatherOf).length - Math.floor(Object.keys(weatherOf).length / heldOutShare)) * wordings.length

function tasksOf(city: string): WeatherTask[] {
  return wordings.map((wording) => ({ question: wording.replace('{city}', city), city, weather: weatherOf[city]! }))
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items]
  for (let at = result.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[result[at], result[other]] = [result[other]!, result[at]!]
  }
  return result
}
