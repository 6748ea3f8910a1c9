import * as library from '@huggingface/jinja'

/** What the service uses of the template library, whose own declarations do not resolve under `nodenext`. */
interface Jinja {
  Template: new (source: string) => { parsed: TemplateNode }
  Environment: new () => Environment
  Interpreter: new (environment: Environment) => Interpreter
}

/** A node of a parsed template, with the parts of it that are read here. */
export interface TemplateNode {
  type: string
  /** Of a name or a literal. */
  value?: unknown
  /** Of a loop. */
  iterable?: TemplateNode & { lhs?: TemplateNode }
  /** Of a member expression: `object.property`, or `object[property]` when `computed`. */
  object?: TemplateNode
  property?: TemplateNode
  computed?: boolean
  /** Of a binary expression. */
  operator?: { value: string }
  left?: TemplateNode
  right?: TemplateNode
  /** Of a test. */
  operand?: TemplateNode
  test?: TemplateNode
  negate?: boolean
  /** Of a call. */
  callee?: TemplateNode
  args?: readonly TemplateNode[]
}

/** A value inside a template: text, number, list (`Array`), object (`Map`) … */
export interface TemplateValue {
  type: string
  value: unknown
}

export interface Environment {
  /** Declares a variable. @throws SyntaxError when it is declared */
  set(name: string, value: unknown): TemplateValue
  /** Declares or replaces a variable. */
  setVariable(name: string, value: TemplateValue): TemplateValue
}

interface Interpreter {
  run(program: TemplateNode): TemplateValue
  evaluate(statement: TemplateNode | undefined, environment: Environment): TemplateValue
  evaluateBlock(statements: readonly TemplateNode[], environment: Environment): TemplateValue
  evaluateMemberExpression(expression: TemplateNode, environment: Environment): TemplateValue
  evaluateBinaryExpression(node: TemplateNode, environment: Environment): TemplateValue
  evaluateTestExpression(node: TemplateNode, environment: Environment): TemplateValue
  applyFilter(operand: TemplateValue, filter: TemplateNode, environment: Environment): TemplateValue
  evaluateArguments(args: readonly TemplateNode[], environment: Environment): [TemplateValue[], Map<string, TemplateValue>]
}

export const { Template, Environment, Interpreter } = library as unknown as Jinja
