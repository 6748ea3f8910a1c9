import { Validator } from '@cfworker/json-schema'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { admits } from './schema/admits.ts'
import { compileSchema } from './schema/compile-schema.ts'
import { SchemaError } from './grammar/schema-error.ts'
import type { SchemaNode } from './grammar/schema-node.ts'
import { combinedSchemas, smallDocuments } from './testing/combined-schemas.ts'
import { chooser, writeText } from './testing/follow.ts'
import { mixedTexts, textOf, vocabularyOf } from './testing/vocabularies.ts'
import { compileConstraint, followConstraint } from './token-constraint.ts'

const validatorOf = (schema: unknown) => new Validator(schema as object, '2020-12')

/** Null for one that nothing fulfils, undefined for one that is refused by name. */
function compiled(schema: unknown): SchemaNode | null | undefined {
  try {
    return compileSchema(schema)
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    if (error.message.includes('cannot be fulfilled')) return null
    expect(error.message).toMatch(/not supported; |more than/)
    return undefined
  }
}

describe('schemas whose parts hold together', () => {
  test('allow what a published validator finds valid, and nothing else', () => {
    const seen = { valid: 0, invalid: 0, impossible: 0, refused: 0 }
    fc.assert(
      fc.property(combinedSchemas, fc.array(smallDocuments, { minLength: 10, maxLength: 10 }), (schema, documents) => {
        const node = compiled(schema)
        if (node === undefined) {
          seen.refused += 1
          return
        }
        if (node === null) seen.impossible += 1
        const validator = validatorOf(schema)
        for (const document of documents) {
          const isAdmitted = node !== null && admits(node, document)
          expect({ document, isAdmitted }).toEqual({ document, isAdmitted: validator.validate(document).valid })
          seen[isAdmitted ? 'valid' : 'invalid'] += 1
        }
      }),
      { numRuns: trials({ usual: 400, long: 40_000 }), seed: 7 },
    )
    expect(seen.valid).toBeGreaterThan(300)
    expect(seen.invalid).toBeGreaterThan(300)
    expect(seen.refused).toBeLessThan(60)
  })

  test('decode to documents that a published validator finds valid, whatever is chosen', () => {
    const vocabulary = vocabularyOf(mixedTexts)
    let complete = 0
    fc.assert(
      fc.property(combinedSchemas, fc.array(fc.nat(), { maxLength: 40, size: 'max' }), (schema, numbers) => {
        if (!compiled(schema)) return
        const constraint = compileConstraint(vocabulary, { kind: 'json-schema', schema })
        const tokens = writeText(followConstraint(constraint, []), vocabulary.size, chooser(numbers, vocabulary))
        if (tokens === null) return
        complete += 1
        const document: unknown = JSON.parse(textOf(vocabulary, tokens))
        expect({ document, ...validatorOf(schema).validate(document) }).toMatchObject({ document, valid: true })
      }),
      { numRuns: trials({ usual: 150, long: 20_000 }), seed: 11 },
    )
    expect(complete).toBeGreaterThan(60)
  })
})
