import { JsonNumber, stringifyJson } from '@heddle/json/exact'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseArgument, parseMessage } from './exact-arguments.ts'

const withArguments = (given: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":${given}}}`

describe('arguments', () => {
  test.each(['9007199254740993', '-9007199254740993', '1e400', '1e-400', '0.1000000000000000055511151231257827', '1152921504606846976'])(
    'keep %s, which JavaScript would round',
    (literal) => {
      expect(stringifyJson(parseMessage(withArguments(`{"a":[{"b":${literal}}]}`)))).toBe(withArguments(`{"a":[{"b":${literal}}]}`))
      expect(parseArgument(`[${literal}]`)).toEqual([new JsonNumber(literal)])
    },
  )

  test.each(['1.0', '0.50', '1e3', '-0', '0e9', '120', '9007199254740992', '0.1'])('have the plain number for %s', (literal) => {
    expect(parseMessage(withArguments(`{"a":${literal}}`))).toBeUndefined()
    expect(parseArgument(literal)).toBe(Number(literal))
  })

  test('have any number that JavaScript writes as that number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        fc.pre(!Number.isInteger(number) || Number.isSafeInteger(number))
        expect(parseArgument(JSON.stringify(number))).toBe(number === 0 ? parseArgument('0') : number)
      }),
    )
  })

  test('are exact in each message of a batch, and nothing else of a message is', () => {
    const batch = `[{"id":9007199254740993,"params":{"arguments":{"a":1}}},{"id":2,"params":{"arguments":{"a":9007199254740993}}}]`
    expect(parseMessage(batch)).toEqual([
      { id: 9_007_199_254_740_992, params: { arguments: { a: 1 } } },
      { id: 2, params: { arguments: { a: new JsonNumber('9007199254740993') } } },
    ])
    expect(parseMessage('{"id":9007199254740993,"params":{"_meta":{"n":9007199254740993}}}')).toBeUndefined()
  })

  test('of a text that is not JSON are refused', () => {
    expect(() => parseMessage('{"id":12345678901234567890')).toThrow(SyntaxError)
    expect(() => parseArgument('[1')).toThrow(SyntaxError)
  })
})
