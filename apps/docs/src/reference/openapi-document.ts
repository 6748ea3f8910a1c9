/** What the reference reads of a schema. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  prefixItems?: readonly Schema[]
  additionalProperties?: Schema | boolean
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  format?: string
}

interface Content {
  content?: Readonly<Record<string, { schema?: Schema }>>
}

export interface ParameterObject {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}

export interface OperationObject {
  operationId: string
  tags: readonly string[]
  summary: string
  description?: string
  /** Empty for an operation without a key. */
  security?: readonly unknown[]
  parameters?: readonly ParameterObject[]
  requestBody?: Content & { required?: boolean }
  responses: Readonly<Record<string, Content & { $ref?: string; description?: string }>>
}

/** What the reference reads of an OpenAPI document. */
export interface OpenApiDocument {
  tags: readonly { name: string; description?: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    responses: Readonly<Record<string, { description?: string }>>
  }
}

/** An operation with its address. */
export interface NamedOperation {
  method: string
  path: string
  operation: OperationObject
}
