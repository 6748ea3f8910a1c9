/**
 * Paths in a JSON Schema to a text whose length nothing in the schema bounds: no `maxLength`, fixed values, format or pattern. The last part of a path is the
 * name of the property that has the text, or a list or dictionary of such texts. Keys of dictionaries are left out.
 */
export function unboundedTexts(schema: unknown, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const isOpen = isText(schema) && !bounds.some((bound) => bound in schema)
  const inner = Object.entries(schema).flatMap(([key, value]) =>
    key === 'propertyNames' ? [] : structure.has(key) ? unboundedTexts(value, place) : unboundedTexts(value, `${place}.${key}`),
  )
  return isOpen ? [place, ...inner] : inner
}

const bounds = ['maxLength', 'enum', 'const', 'format', 'pattern']

/** Keys of a schema that lead on without naming a property. */
const structure: ReadonlySet<string> = new Set([
  ...Array.from({ length: 32 }, (_, index) => String(index)),
  'anyOf',
  'oneOf',
  'allOf',
  'items',
  'prefixItems',
  'additionalProperties',
  'properties',
  '$defs',
])

function isText(schema: object): boolean {
  return 'type' in schema && (schema.type === 'string' || (Array.isArray(schema.type) && schema.type.includes('string')))
}

/** Properties whose texts may have any length, and why. */
export const unboundedProperties: Readonly<Record<string, string>> = Object.fromEntries(
  [
    [
      'content description error exception input instructions logs message op_source_code prompt source_code system traceback',
      'content, which is stored and not looked up',
    ],
    ['scorer_rating_reasons scorer_tag_reasons', 'content, which is stored and not looked up'],
    ['$getField field', 'a place in a value, bounded by the statement that a query becomes'],
    ['if-range range project-id', 'a header, and all of them have at most 16 KiB'],
    ['entity project project_id', 'refused with 400 where the project is opened'],
    ['id parent_id trace_id wb_run_id op_name display_name mode', 'of a call: refused by its own rule with 400 or, in a batch, 422'],
    ['object_id name tags aliases alias split stop stop_sequences bad_words', 'refused with 400 by its own rule'],
    ['scorer_refs display_fields', 'refused with 400 by the characters of all'],
    ['completion_token_cost_unit prompt_token_cost_unit provider_id', 'refused with 400 by its own rule'],
    ['thread_id thread_ids turn_id turn_ids', 'shortened, the same where it is stored and where it is looked up'],
    ['service_tier', 'read as no tier above 32 characters'],
    ['wb_user_id request_id', 'ignored'],
    ['finish_reason role type', 'part of a message or an error, which is content'],
  ].flatMap(([names = '', reason = '']) => names.split(' ').map((name) => [name, reason])),
)
