export { attributePaths, isNamedOp } from './call-expressions.ts'
export { compare, contains, equals, field, isOneOf, isThere, literal, not } from './expressions.ts'
