import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeForwardBackward,
  decodeForwardBackwardOutput,
  decodeSampleOutput,
  encodeForwardBackward,
  encodeForwardBackwardOutput,
  encodeSampleOutput,
} from './messages.ts'
import { MessageWriter, ProtobufError } from './wire.ts'

const runs = { numRuns: trials({ usual: 100, long: 10_000 }) }
const integers = fc.int32Array({ maxLength: 20 })
const floats = fc.float32Array({ maxLength: 20 })

describe('messages come back as they were written', () => {
  test('requests', () => {
    const datum = fc.record({
      tokens: integers,
      targets: integers,
      floats: fc.dictionary(fc.constantFrom('logprobs', 'advantages'), floats, { noNullPrototype: true }),
    })
    const request = fc.record({
      modelId: fc.string(),
      sequenceId: fc.nat(),
      data: fc.array(datum, { maxLength: 4 }),
      lossFunction: fc.constantFrom('importance_sampling', 'cross_entropy'),
      lossConfig: fc.dictionary(fc.constantFrom('beta', 'kind'), fc.oneof(fc.double(), fc.string()), { minKeys: 1, noNullPrototype: true }),
      forwardOnly: fc.boolean(),
    })
    fc.assert(
      fc.property(request, (each) => {
        expect(decodeForwardBackward(encodeForwardBackward(each))).toEqual(each)
      }),
      runs,
    )
  })

  test('results', () => {
    const output = fc.record({
      logProbabilities: fc.array(floats, { maxLength: 5 }),
      metrics: fc.dictionary(fc.string(), fc.double(), { noNullPrototype: true }),
    })
    fc.assert(
      fc.property(output, (each) => {
        expect(decodeForwardBackwardOutput(encodeForwardBackwardOutput(each))).toEqual(each)
      }),
      runs,
    )
  })

  test('samples', () => {
    const sequence = fc.record({
      stopReason: fc.constantFrom('stop' as const, 'length' as const),
      tokens: integers,
      logProbabilities: floats,
    })
    const alternative = fc.record({
      token: fc.nat({ max: 1_000 }),
      logProbability: fc.float({ max: 0, noNaN: true, noDefaultInfinity: true }),
    })
    const top = fc.array(fc.array(alternative, { maxLength: 3 }), { maxLength: 5 })
    const output = fc.record(
      {
        sequences: fc.array(
          fc.oneof(
            sequence,
            fc.tuple(sequence, top).map(([each, rows]) => ({ ...each, top: rows })),
          ),
          { maxLength: 4 },
        ),
        promptLogProbabilities: fc.option(floats),
        promptTop: top,
      },
      { requiredKeys: ['sequences', 'promptLogProbabilities'] },
    )
    fc.assert(
      fc.property(output, (each) => {
        expect(decodeSampleOutput(encodeSampleOutput(each))).toEqual(each)
      }),
      runs,
    )
  })
})

test('a request is, byte for byte, what the schema says', () => {
  const bytes = encodeForwardBackward({
    modelId: 'm',
    sequenceId: 300,
    data: [{ tokens: Int32Array.of(7), targets: Int32Array.of(-2), floats: {} }],
    lossFunction: 'l',
    forwardOnly: true,
  })
  const tensor = ['0a08', 'feffffffffffffff', '1802', '220101'].join('')
  const entry = ['0a0d', Buffer.from('target_tokens').toString('hex'), '120f', tensor].join('')
  const datum = ['0a08', '0a06', '0a04', '07000000', '1220', entry].join('')
  expect(Buffer.from(bytes).toString('hex')).toBe(['0a016d', '10ac02', '1a2c', datum, '22016c', '3001'].join(''))
})

test('offsets are written with eight bytes each, and read packed as well', () => {
  const values = Buffer.alloc(8)
  values.writeFloatLE(-1, 0)
  values.writeFloatLE(-2, 4)
  const tensor = new MessageWriter().bytes(1, values).packedIntegers(2, [0, 4, 8]).integer(3, 1).finish()
  const bytes = new MessageWriter()
    .message(2, (record) => record.message(2, (entry) => entry.text(1, 'logprobs').bytes(2, tensor)).integer(3, 2))
    .finish()
  const logProbabilities = [Float32Array.of(-1), Float32Array.of(-2)]
  expect(decodeForwardBackwardOutput(bytes).logProbabilities).toEqual(logProbabilities)
  const written = Buffer.from(encodeForwardBackwardOutput({ logProbabilities, metrics: {} }))
  expect(written.toString('hex')).toContain(['1218', '0000000000000000', '0400000000000000', '0800000000000000'].join(''))
})

describe('a damaged message is refused', () => {
  test.each([
    ['that ends within an integer', [0x80]],
    ['whose field is longer than it', [0x0a, 5, 1]],
    ['with an unknown wire type', [0x0b]],
    ['with the field 0', [0x02, 0]],
    ['with an integer of eleven bytes', [0x08, ...Array.from({ length: 11 }, () => 0xff)]],
  ])('%s', (_, bytes) => {
    expect(() => decodeSampleOutput(Uint8Array.from(bytes))).toThrow(ProtobufError)
  })

  test('without log-probabilities, or with offsets that do not fit', () => {
    const without = new MessageWriter().message(2, (record) => record.integer(3, 1)).finish()
    expect(() => decodeForwardBackwardOutput(without)).toThrow('has no `logprobs`')
    const tensor = new MessageWriter().bytes(1, Buffer.alloc(4)).packedIntegers(2, [0, 8]).finish()
    const beyond = new MessageWriter()
      .message(2, (record) => record.message(2, (entry) => entry.text(1, 'logprobs').bytes(2, tensor)).integer(3, 1))
      .finish()
    expect(() => decodeForwardBackwardOutput(beyond)).toThrow('2 offsets do not cut 4 bytes into 1 arrays')
  })

  test('with a table of tokens that is smaller than it says', () => {
    const table = new MessageWriter().bytes(1, Buffer.alloc(8)).bytes(2, Buffer.alloc(8)).integer(3, 2).integer(4, 9).finish()
    const bytes = new MessageWriter().bytes(3, table).finish()
    expect(() => decodeSampleOutput(bytes)).toThrow('2 tokens are no table of 9 rows of 2')
  })

  test('whatever the bytes: nothing but a ProtobufError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        for (const decode of [decodeForwardBackward, decodeForwardBackwardOutput, decodeSampleOutput]) {
          try {
            decode(bytes)
          } catch (error) {
            expect(error).toBeInstanceOf(ProtobufError)
          }
        }
      }),
      runs,
    )
  })
})
