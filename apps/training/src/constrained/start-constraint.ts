import type { Constraint } from '../engine/engine.ts'
import type { Places, TextSymbol } from './frames/frame.ts'
import { valueFrame } from './frames/value.ts'
import { anyObject } from './schema/any-node.ts'
import type { CompiledSize } from './schema/compiled-size.ts'
import { compileSchema } from './schema/compile-schema.ts'
import type { SchemaNode } from './schema/schema-node.ts'
import { startToolCalls } from './tool-calls.ts'

/** Where a text under this constraint begins. @throws SchemaError when it cannot be enforced */
export function startConstraint(constraint: Constraint, spell: (text: string) => TextSymbol[], size: CompiledSize): Places {
  switch (constraint.kind) {
    case 'json-object':
      return startValue(anyObject)
    case 'json-schema':
      return startValue(compileSchema(constraint.schema, { size }))
    case 'tool-call':
      return startToolCalls(constraint, spell, size)
  }
}

function startValue(node: SchemaNode): Places {
  return [{ frame: valueFrame(node), rest: null }]
}
