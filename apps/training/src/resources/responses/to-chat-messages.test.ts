import { expect, test } from 'vitest'
import { toChatMessages } from './to-chat-messages.ts'

const aCall = (name: string) => ({ type: 'function_call', call_id: `call-${name}`, name, arguments: '{}' })

test('items of one turn are one message, whose next answer begins another', () => {
  const said = (content: string) => ({ role: 'assistant', content })
  const thought = { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'hm' }] }
  const messages = toChatMessages([thought, said('a'), aCall('f'), aCall('g'), said('b')])
  const calls = ['f', 'g'].map((name) => ({ id: `call-${name}`, type: 'function', function: { name, arguments: '{}' } }))
  expect(messages).toEqual([
    { role: 'assistant', content: 'a', reasoning: 'hm', reasoning_content: 'hm', tool_calls: calls },
    { role: 'assistant', content: 'b' },
  ])
})

// With work that grows as the square of the calls, this would take minutes.
test('a turn may have as many calls as a body holds', () => {
  const [message, ...others] = toChatMessages(Array.from({ length: 100_000 }, (_, at) => aCall(`f${at}`)))
  expect(others).toEqual([])
  expect(message!['tool_calls']).toHaveLength(100_000)
})
