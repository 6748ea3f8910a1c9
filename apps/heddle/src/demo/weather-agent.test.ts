import { expect, test } from 'vitest'
import { judgeAttempt } from './weather-agent.ts'
import { runTool } from './weather-tool.ts'

const task = { question: 'Weather in Oslo?', city: 'Oslo', weather: 'snow' }

test.each([
  [true, 'The weather is: snow.', 1],
  [true, 'The weather is: rain.', 0.5],
  [true, '', 0.5],
  [false, 'The weather is: snow.', 0],
  [false, '', 0],
])('an attempt that asked the tool (%j) and says %j has the reward %d', (asked, answer, reward) => {
  expect(judgeAttempt(task, asked, answer)).toEqual({ answer, asked, correct: reward === 1, reward })
})

test.each([
  ['get_weather', '{"city":"Oslo"}', { content: 'snow', city: 'Oslo' }],
  ['get_weather', '{"city":"Atlantis"}', { content: 'unknown city', city: undefined }],
  ['get_weather', '{"city":"constructor"}', { content: 'unknown city', city: undefined }],
  ['get_weather', '{"city":7}', { content: 'unknown city', city: undefined }],
  ['get_weather', 'null', { content: 'unknown city', city: undefined }],
  ['get_weather', '{"city":', { content: 'unknown city', city: undefined }],
  ['get_time', '{"city":"Oslo"}', { content: 'no such tool', city: undefined }],
])('the tool %s called with %s answers', (name, text, result) => {
  expect(runTool({ id: 'c', function: { name, arguments: text } })).toEqual(result)
})
