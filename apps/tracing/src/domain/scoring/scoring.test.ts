import { parseJson, stringifyJson } from '@heddle/json'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLimitedRun } from '../../payload/limited-run.ts'
import { createSchemaChecks } from '../../records/feedback/write/schema-mismatch.ts'
import vectors from '../../vectors/evaluation-v2-vectors.json' with { type: 'json' }
import { autoSummary } from './auto-summary.ts'
import { messagesForRow, readMessages } from './model/chat-messages.ts'
import { completionBody, ModelError, readCompletion, readCompletionModel } from './model/completion-model.ts'
import { fillFormat, fillKnown, PromptError } from './model/fill-format.ts'
import { exactMatch } from './scorers/exact-match.ts'
import { fuzzyMatch } from './scorers/fuzzy-match.ts'
import { jsonValidity } from './scorers/json-validity.ts'
import { numericThreshold } from './scorers/numeric-threshold.ts'
import { regex } from './scorers/regex.ts'
import { similarity } from './scorers/similarity.ts'
import { ScorerError } from './subject.ts'

describe('the summary of a column', () => {
  const recorded = vectors.steps.flatMap((step) => ('auto_summary_of' in step && !('heddle' in step) ? [step] : []))

  test.each(recorded.map((step) => [JSON.stringify(step.auto_summary_of), step] as const))('of %s is as recorded', (_text, step) => {
    expect(autoSummary(step.auto_summary_of as unknown[])).toEqual(step.reference)
  })

  test('leaves texts out of the mean of numbers', () => {
    expect(autoSummary([1, 'x', 3])).toEqual({ mean: 2 })
  })

  test('reads numbers that JavaScript would write differently', () => {
    expect(autoSummary(parseJson('[1.0, 2e0, 3.5]') as unknown[])).toEqual({ mean: 6.5 / 3 })
  })

  test('has a fraction between 0 and 1 for any booleans among unscored rows and nulls', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(true, false, null, {})), (column) => {
        const [trues, known] = [
          column.filter((value) => value === true).length,
          column.filter((value) => typeof value === 'boolean').length,
        ]
        fc.pre(known > 0)
        const unscored = column.filter((value) => value !== null && typeof value === 'object').length
        expect(autoSummary(column)).toEqual({ true_count: trues, true_fraction: trues / (known + unscored) })
      }),
    )
  })
})

describe('a prompt', () => {
  const variables = { a: 'x', list: [{ b: 1 }], object: { 'k e': true, none: null } }

  test.each([
    ['{a} {{a}} }}', 'x {a} }'],
    ['{list}', '[{"b":1}]'],
    ['{list[0].b} {object[k e]} {object.none}', '1 true null'],
    ['no field', 'no field'],
  ])('%s becomes %s', (format, text) => {
    expect(fillFormat(format, variables)).toBe(text)
  })

  test.each(['{b}', '{a.b}', '{list[1]}', '{', '}', '{}', '{a!r}', '{a:>10}', '{__proto__}', '{a.length}'])('%s is refused', (format) => {
    expect(() => fillFormat(format, variables)).toThrow(PromptError)
  })

  test('of any variables is filled without a change to what is in them', () => {
    fc.assert(fc.property(fc.string(), (text) => fillFormat('<{v}>', { v: text }) === `<${text}>`))
  })

  test('of a model fills only columns that the row has, and leaves every other brace', () => {
    expect(fillKnown('{a} {b} {"json": {list}}', variables)).toBe('x {b} {"json": [{"b":1}]}')
  })
})

describe('a completion model', () => {
  const value = {
    llm_model_id: 'openai/gpt',
    default_params: {
      messages_template: [
        { role: 'system', content: 'About {topic}' },
        { role: 'user', content: [{ type: 'text', text: '{topic}?' }] },
      ],
      temperature: 0,
      stop: [],
      n_times: 2,
      response_format: 'json_object',
    },
  }
  const row = { topic: 'looms', user_input: 'Hi', config: { temperature: 1 } }

  test('sends its template with the columns of the row, then what the user says, with its parameters', () => {
    expect(completionBody(readCompletionModel(value), { model: 'gpt', row })).toEqual({
      model: 'gpt',
      messages: [
        { role: 'system', content: 'About looms' },
        { role: 'user', content: [{ type: 'text', text: 'looms?' }] },
        { role: 'user', content: 'Hi' },
      ],
      temperature: 1,
      n: 2,
      response_format: { type: 'json_object' },
    })
  })

  test('takes the messages of a prompt before those of its template', () => {
    const prompt = { messages: [{ role: 'user', content: 'P', name: null }] }
    expect(readCompletionModel({ ...value, default_params: { ...value.default_params, prompt } }).template).toEqual([
      { role: 'user', content: 'P' },
    ])
  })

  test('adds one message or several of a column user_input', () => {
    const message = { role: 'user', content: 'a' }
    expect(messagesForRow([], { user_input: message })).toEqual([message])
    expect(messagesForRow([], { user_input: [message, message] })).toEqual([message, message])
    expect(readMessages('nothing')).toEqual([])
  })

  test('leaves names of columns in a template as they are where the operator says so', () => {
    const template = [{ role: 'user', content: 'Translate {text} to {language}' }]
    const row = { text: 'Hi', user_input: 'now' }
    const contents = (fills: boolean) => messagesForRow(template, row, { fills }).map(({ content }) => content)
    expect([contents(true), contents(false)]).toEqual([
      ['Translate Hi to {language}', 'now'],
      ['Translate {text} to {language}', 'now'],
    ])
  })

  const answer = (content: unknown) => ({ choices: [{ message: { content } }] })

  test('answers text, or the JSON that was requested', () => {
    expect(readCompletion({ format: 'text' }, answer('{"a":1}'))).toBe('{"a":1}')
    expect(stringifyJson(readCompletion({ format: 'json_object' }, answer('{"a":1.0}')))).toBe('{"a":1.0}')
  })

  test.each([
    ['text', answer(null)],
    ['text', {}],
    ['json_object', answer('')],
    ['json_object', answer('[1]')],
    ['json_schema', answer('{')],
  ] as const)('of format %s fails on %j', (format, given) => {
    expect(() => readCompletion({ format }, given)).toThrow(ModelError)
  })

  test.each([{}, { llm_model_id: 7 }, { llm_model_id: 'm', default_params: { response_format: 'xml' } }])('%j is refused', (given) => {
    expect(() => readCompletionModel(given)).toThrow(ModelError)
  })
})

describe('built-in scorers', () => {
  const judge = (output: unknown, expected: unknown) => ({ output, row: { expected } })
  const run = createLimitedRun()
  const check = createSchemaChecks()()

  test.each([
    [{}, 'a', 'a', true],
    [{}, 'a', 'A', false],
    [{ ignore_case: true, trim: true }, ' a ', 'A', true],
    [{}, { x: 1, y: [2] }, { y: [2], x: 1 }, true],
    [{}, '1', 1, false],
    [{ output_path: 'answer.0' }, { answer: ['a'] }, 'a', true],
    [{ output_path: 'gone' }, {}, null, true],
  ])('exact match with %j of %j and %j: %s', (settings, output, expected, match) => {
    expect(exactMatch(settings)(judge(output, expected))).toEqual({ match })
  })

  test('fuzzy match is symmetric, 1 for equal texts only, and between 0 and 1', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        const found = fuzzyMatch({})(judge(left, right))['similarity'] as number
        expect(fuzzyMatch({})(judge(right, left))['similarity']).toBe(found)
        expect(found === 1).toBe(left === right)
        expect(found).toBeGreaterThanOrEqual(0)
      }),
    )
    expect(fuzzyMatch({ threshold: 0.7 })(judge('kitten', 'sitten'))).toEqual({ similarity: 1 - 1 / 6, match: true })
    expect(() => fuzzyMatch({})(judge('x'.repeat(20_001), ''))).toThrow(ScorerError)
  })

  test.each(['cosine', 'jaccard', 'trigram'])('similarity by %s is symmetric, 1 for a text and itself, and between 0 and 1', (method) => {
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), fc.string({ maxLength: 50 }), (left, right) => {
        const scorer = similarity({ method })
        const found = scorer(judge(left, right))['similarity'] as number
        expect(found).toBeCloseTo(scorer(judge(right, left))['similarity'] as number)
        expect(scorer(judge(left, left))['similarity']).toBeCloseTo(1)
        expect(found >= 0 && found <= 1).toBe(true)
      }),
    )
    expect(similarity({ method })(judge('the red loom', 'a blue car'))).toMatchObject({ match: false })
  })

  test.each([
    [{ minimum: 1 }, 1, { value: 1, pass: true }],
    [{ maximum: 1 }, '1.5', { value: 1.5, pass: false }],
    [{ minimum: 0, maximum: 1, output_path: 'p' }, { p: 0.5 }, { value: 0.5, pass: true }],
    [{ minimum: 0 }, 'many', { value: null, pass: false }],
  ])('numeric threshold %j of %j is %j', (settings, output, score) => {
    expect(numericThreshold(settings)(judge(output, null))).toEqual(score)
  })

  test.each([
    [{}, '{"a":1}', true],
    [{}, '{', false],
    [{}, { a: 1 }, true],
    [{ schema: { type: 'object', required: ['a'] } }, '{"b":1}', false],
    [{ schema: { type: 'object', required: ['a'] } }, '{"a":1}', true],
    [{ output_path: 'x' }, {}, false],
  ])('JSON validity %j of %j is %s', (settings, output, valid) => {
    expect(jsonValidity(settings, check)(judge(output, null))).toEqual({ valid, reason: valid ? null : expect.any(String) })
  })

  test('a pattern matches anywhere, and one that never ends is stopped', () => {
    expect(regex({ pattern: 'l..m' }, run)(judge('a loom', null))).toEqual({ match: true })
    expect(regex({ pattern: '^l' }, run)(judge('a loom', null))).toEqual({ match: false })
    expect(() => regex({ pattern: '(a+)+$' }, run)(judge(`${'a'.repeat(40)}b`, null))).toThrow(ScorerError)
    expect(() => regex({ pattern: '(' }, run)(judge('', null))).toThrow(ScorerError)
  })

  test.each([
    [() => exactMatch({ trim: 'yes' }), 'trim'],
    [() => similarity({ method: 'magic' }), 'method'],
    [() => numericThreshold({}), 'minimum'],
    [() => regex({}, run), 'pattern'],
    [() => exactMatch({ expected_column: 'target' })(judge('a', 'a')), 'target'],
  ])('a setting that does not fit is named', (make, name) => {
    expect(make).toThrow(expect.objectContaining({ name: 'ScorerError', message: expect.stringContaining(name) }))
  })
})
