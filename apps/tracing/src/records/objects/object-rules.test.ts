import { parseJson } from '@heddle/json'
import { describe, expect, test } from 'vitest'
import vectors from '../../vectors/digest-vectors.json' with { type: 'json' }
import { applyBuiltinClass } from './publish/apply-builtin-class.ts'
import { checkFileNames } from './publish/check-file-names.ts'
import { checkMonitor } from './publish/check-monitor.ts'
import { parseDigestArgument } from './versions/digest-argument.ts'
import { followEdges } from '../refs/follow-edges.ts'
import { toObjectClass, toObjectKind } from './versions/object-class.ts'
import { checkObjectName } from './publish/object-name.ts'

function statusOf(work: () => unknown): number {
  try {
    work()
    return 200
  } catch (error) {
    return (error as { status: number }).status
  }
}

describe('object names', () => {
  test.each([
    ['a', 200],
    ['Evaluation.predict_and_score', 200],
    ['straße-日本語.v2', 200],
    ['.', 200],
    ['x'.repeat(128), 200],
    ['𝒜'.repeat(128), 200],
    ['x'.repeat(129), 400],
    ['', 422],
    ['my ds', 422],
    ['a/b', 422],
    ['a:b', 422],
    ['a\n', 422],
  ])('%j: %d', (name, status) => {
    expect(statusOf(() => checkObjectName(name))).toBe(status)
  })
})

describe('classes', () => {
  test.each([
    ['two bases', { _bases: ['Object', 'BaseModel'], _class_name: 'Dataset' }, 'Dataset', 'Dataset'],
    ['BaseObject for Object', { _bases: ['BaseObject', 'BaseModel'], _class_name: 'Provider' }, 'Provider', 'Provider'],
    ['third name from the end', { _bases: ['A', 'Scorer', 'Object', 'BaseModel'], _class_name: 'acc' }, 'Scorer', 'acc'],
    ['one base', { _bases: ['BaseModel'], _class_name: 'X' }, null, null],
    ['last is another', { _bases: ['Object', 'Model'], _class_name: 'X' }, null, null],
    ['second last is another', { _bases: ['Model', 'BaseModel'], _class_name: 'X' }, null, null],
    ['bases no list', { _bases: 'Object', _class_name: 'X' }, null, null],
    ['NUL in the leaf', { _bases: ['Scorer', 'Object', 'BaseModel'], _class_name: 'a\0' }, null, null],
    ['NUL in the base', { _bases: ['\0', 'Object', 'BaseModel'], _class_name: 'a' }, null, null],
    ['no class name', { _bases: ['Object', 'BaseModel'] }, null, null],
    ['no object', ['Object', 'BaseModel'], null, null],
  ])('%s', (_, val, base, leaf) => {
    expect(toObjectClass(val)).toEqual({ base_object_class: base, leaf_object_class: leaf })
  })

  test.each(
    vectors.vectors.filter(
      (vector) => vector.kind === 'object' && vector.builtin_object_class === undefined && !vector.json?.includes('NaN'),
    ),
  )('as recorded: $name', ({ json, base_object_class, leaf_object_class }) => {
    expect(toObjectClass(parseJson(json ?? ''))).toEqual({ base_object_class, leaf_object_class })
  })

  test.each([
    ['an op', { _type: 'CustomWeaveType', weave_type: { type: 'Op' } }, 'op'],
    ['an op in short', { _type: 'Op' }, 'op'],
    ['another custom type', { _type: 'CustomWeaveType', weave_type: { type: 'PIL.Image.Image' } }, 'object'],
    ['weave_type wins over _type', { _type: 'Op', weave_type: { type: 'X' } }, 'object'],
    ['weave_type alone', { weave_type: { type: 'Op' } }, 'object'],
    ['null', null, 'object'],
    ['a text', 'Op', 'object'],
  ])('kind of %s', (_, val, kind) => {
    expect(toObjectKind(val)).toBe(kind)
  })
})

describe('built-in classes', () => {
  const provider = { base_url: 'https://api.example.com/v1', api_key_name: 'K' }
  const column = { evaluation_object_ref: 'weave:///e/p/object/x:1', scorer_name: 's', summary_metric_path: 'm' }

  test('defaults are filled in and unknown keys dropped', () => {
    expect(applyBuiltinClass('ProviderModel', { provider: 'p', max_tokens: '4096', extra: 1 })).toEqual({
      _type: 'ProviderModel',
      _class_name: 'ProviderModel',
      _bases: ['BaseObject', 'BaseModel'],
      name: null,
      description: null,
      provider: 'p',
      max_tokens: 4096,
    })
    expect(applyBuiltinClass('Leaderboard', { columns: [{ ...column, extra: 1 }] })).toMatchObject({
      columns: [{ ...column, should_minimize: null }],
    })
  })

  test('the classes of screens keep what is given', () => {
    expect(applyBuiltinClass('SavedView', { definition: { columns: [1] }, name: 'v' })).toEqual({
      _type: 'SavedView',
      _class_name: 'SavedView',
      _bases: ['BaseObject', 'BaseModel'],
      name: 'v',
      description: null,
      definition: { columns: [1] },
    })
  })

  test('an instance of the class is stored as it is', () => {
    const val = { _bases: ['Mine', 'BaseObject', 'BaseModel'], _class_name: 'Provider', anything: 1 }
    expect(applyBuiltinClass('Provider', val)).toBe(val)
  })

  test.each([
    ['a list', 'Provider', []],
    ['null', 'Provider', null],
    ['an instance of another class', 'Provider', { _bases: ['Object', 'BaseModel'], _class_name: 'Dataset' }],
    ['an unknown class', 'Nothing', {}],
    ['a name from the prototype', 'constructor', {}],
    ['a missing field', 'Provider', { base_url: 'https://x.test' }],
    ['a field of another type', 'ProviderModel', { provider: 'p', max_tokens: 'many' }],
    ['a schema that is none', 'AnnotationSpec', { field_schema: { type: 'numbr' } }],
    ['a schema that is none inside', 'AnnotationSpec', { field_schema: { properties: { a: { minLength: -1 } } } }],
    ['a schema that is not an object', 'AnnotationSpec', { field_schema: [] }],
    ['columns that are not a list', 'Leaderboard', { columns: {} }],
    ['another return type', 'Provider', { ...provider, return_type: 'other' }],
    ['headers of metadata services', 'Provider', { ...provider, extra_headers: { 'Metadata-Flavor': 'Google' } }],
  ])('refused: %s', (_, name, val) => {
    expect(statusOf(() => applyBuiltinClass(name, val))).toBe(400)
  })

  test.each(['https://api.example.com', 'http://8.8.8.8:8080/v1', 'https://[2606:4700::1111]/v1'])(
    'a public address passes: %s',
    (base_url) => {
      expect(statusOf(() => applyBuiltinClass('Provider', { ...provider, base_url }))).toBe(200)
    },
  )

  test.each([
    'ftp://api.example.com',
    'api.example.com',
    'https://api.example.com?x=1',
    'https://api.example.com#x',
    'http://localhost:11434',
    'http://LOCALHOST.',
    'http://ollama:11434',
    'http://metadata.google.internal',
    'http://127.0.0.1',
    'http://127.1',
    'http://2130706433',
    'http://0x7f.0.0.1',
    'http://10.1.2.3',
    'http://172.20.0.1',
    'http://192.168.1.1',
    'http://169.254.169.254',
    'http://100.100.100.200',
    'http://0.0.0.0',
    'http://[::1]',
    'http://[::]',
    'http://[fd00:ec2::254]',
    'http://[fe80::1]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:169.254.169.254]',
  ])('an address that is not public is refused: %s', (base_url) => {
    expect(statusOf(() => applyBuiltinClass('Provider', { ...provider, base_url }))).toBe(400)
  })
})

/** An object as clients write it that made it of an instance of a class. */
const ofClass = (name: string, fields: object) => ({ _type: name, ...fields, _class_name: name, _bases: [`${name}Base`, 'BaseModel'] })

describe('queries of monitors', () => {
  const monitor = (query: unknown, name = 'Monitor') => ({ _bases: ['Object', 'BaseModel'], _class_name: name, query })
  const equal = (field: string) => ({ $expr: { $eq: [{ $getField: field }, { $literal: 'x' }] } })

  test.each([
    ['a query', monitor(equal('op_name')), 200],
    ['a query with keys of its class', monitor({ _type: 'Query', ...equal('inputs.a') }, 'ClassifierMonitor'), 200],
    ['none', monitor(null), 200],
    ['one in another form', monitor({ expr: 1 }), 200],
    ['a field that calls do not have', monitor(equal('nonsense')), 422],
    ['an unknown operator', monitor({ $expr: { $like: [1, 2] } }), 400],
    ['one operand', monitor({ $expr: { $eq: [{ $literal: 1 }] } }), 400],
    ['an empty $and', monitor({ $expr: { $and: [] } }), 400],
    ['a value of another class', { ...monitor({ $expr: 1 }), _class_name: 'Other' }, 200],
    [
      'a query made of instances of classes',
      monitor(
        ofClass('Query', {
          $expr: ofClass('EqOperation', {
            $eq: [ofClass('GetFieldOperator', { $getField: 'op_name' }), ofClass('LiteralOperation', { $literal: 'x' })],
          }),
        }),
      ),
      200,
    ],
    [
      'a field that calls do not have, in instances of classes',
      monitor(
        ofClass('Query', {
          $expr: ofClass('EqOperation', { $eq: [ofClass('GetFieldOperator', { $getField: 'nonsense' }), { $literal: 'x' }] }),
        }),
      ),
      422,
    ],
    [
      'another unknown key in instances of classes',
      monitor(ofClass('Query', { $expr: ofClass('EqOperation', { $eq: [{ $literal: 1 }, { $literal: 1 }], more: 1 }) })),
      400,
    ],
  ])('%s', (_, val, status) => {
    expect(statusOf(() => checkMonitor(val))).toBe(status)
  })
})

describe('digest arguments', () => {
  test.each([
    ['latest', { by: 'latest' }],
    ['v0', { by: 'index', version_index: 0 }],
    ['v007', { by: 'index', version_index: 7 }],
    ['v-1', { by: 'index', version_index: -1 }],
    ['v2147483648', { by: 'index', version_index: -1 }],
    ['v99999999999999999999', { by: 'index', version_index: -1 }],
    [`v${'1'.repeat(42)}`, { by: 'index', version_index: -1 }],
    ['A'.repeat(43), { by: 'digest', digest: 'A'.repeat(43) }],
    ['0f'.repeat(32), { by: 'digest', digest: '0f'.repeat(32) }],
    ['v1.0', { by: 'alias', alias: 'v1.0' }],
    ['Latest', { by: 'alias', alias: 'Latest' }],
    ['A'.repeat(42), { by: 'alias', alias: 'A'.repeat(42) }],
    ['0g'.repeat(32), { by: 'alias', alias: '0g'.repeat(32) }],
  ])('%s', (text, expected) => {
    expect(parseDigestArgument(text)).toEqual(expected)
  })
})

describe('names of files in custom types', () => {
  test.each([
    ['image.png', 200],
    ['a/b..c/d.py', 200],
    ['/etc/passwd', 400],
    ['\\share', 400],
    ['C:\\x', 400],
    ['../x', 400],
    ['a\\..\\b', 400],
    ['..', 400],
  ])('%s: %d', (name, status) => {
    const custom = { _type: 'CustomWeaveType', files: { [name]: 'digest' } }
    expect(statusOf(() => checkFileNames(custom))).toBe(status)
    expect(statusOf(() => checkFileNames({ deep: [custom] }))).toBe(status)
    expect(statusOf(() => checkFileNames({ files: { [name]: 'digest' } }))).toBe(200)
  })
})

describe('edges', () => {
  const value = {
    a: { b: [10, null, 'weave:///e/p/object/x:1/key/k'] },
    t: 'weave:///e/p/table/7',
    o: 'weave:///e/q/object/x:1',
    s: 'text',
  }
  const attr = (value: string) => ({ name: 'attr', value }) as const
  const key = (value: string) => ({ name: 'key', value }) as const
  const index = (value: string) => ({ name: 'index', value }) as const
  const follow = (...edges: Parameters<typeof followEdges>[1][number][]) => followEdges(value, edges, 'e/p')

  test.each([
    ['none', [], value],
    ['a member', [attr('a'), key('b'), index('0')], 10],
    ['a missing member', [attr('missing')], null],
    ['a member of the prototype', [attr('toString')], null],
    ['a position out of range', [attr('a'), key('b'), index('9')], null],
    ['a negative position', [attr('a'), key('b'), index('-1')], null],
    ['below null', [attr('a'), key('b'), index('1'), attr('x')], null],
    ['a text at the end of the path', [attr('o')], 'weave:///e/q/object/x:1'],
    ['through another project', [attr('o'), attr('x')], null],
  ])('found: %s', (_, edges, expected) => {
    expect(follow(...edges)).toEqual({ status: 'found', value: expected })
  })

  test('a reference on the way takes over the rest of the path', () => {
    expect(follow(attr('a'), key('b'), index('2'), attr('z'))).toMatchObject({
      status: 'ref',
      ref: { name: 'x', digest: '1', edges: [key('k'), attr('z')] },
    })
  })

  test.each([
    ['a position of an object', [attr('a'), index('0')]],
    ['a member of a list', [attr('a'), key('b'), key('0')]],
    ['a member of a text', [attr('s'), key('x')]],
    ['a member of a table', [attr('t'), key('x')]],
    ['a member of a number', [attr('a'), key('b'), index('0'), key('x')]],
  ])('invalid: %s', (_, edges) => {
    expect(follow(...edges)).toMatchObject({ status: 'invalid' })
  })
})
