import * as library from '@huggingface/jinja'

/** What the service uses of the template library, whose own declarations do not resolve under `nodenext`. */
interface Jinja {
  Template: new (source: string) => { parsed: TemplateNode }
  Environment: new () => Environment
  Interpreter: new (environment: Environment) => Interpreter
}

/** A node of a parsed template; loops have an `iterable`. */
export interface TemplateNode {
  type: string
  iterable?: TemplateNode & { lhs?: TemplateNode }
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
}

export const { Template, Environment, Interpreter } = library as unknown as Jinja
