import type { Expression, MacroBody, Statement, Target } from './nodes.ts'
import { ExpressionParser } from './parse-expression.ts'
import { TokenStream } from './token-stream.ts'
import { tokenize } from './tokenize.ts'

/**
 * Parses a template with the tags of chat templates in the Transformers library: those of Jinja, `break`, `continue` and `generation`.
 * @throws SyntaxError that names the invalid part
 */
export function parseTemplate(source: string): Statement[] {
  const stream = new TokenStream(tokenize(source))
  return new StatementParser(stream).readAll()
}

// Tags of Jinja for templates that consist of several files.
const ofSeveralFiles: ReadonlySet<string> = new Set(['block', 'extends', 'from', 'import', 'include'])

class StatementParser {
  readonly #stream: TokenStream
  readonly #expressions: ExpressionParser
  #loops = 0

  constructor(stream: TokenStream) {
    this.#stream = stream
    this.#expressions = new ExpressionParser(stream)
  }

  readAll(): Statement[] {
    const statements = this.#statements([])
    if (!this.#stream.isAtEnd) throw new SyntaxError(`unexpected ${this.#stream.describe()}`)
    return statements
  }

  /** Statements up to a tag with one of these names, which is not consumed. */
  #statements(ends: readonly string[]): Statement[] {
    return this.#stream.nested(() => {
      const statements: Statement[] = []
      while (!this.#stream.isAtEnd) {
        const text = this.#stream.takeText()
        if (text !== null) statements.push({ kind: 'text', text })
        else if (this.#stream.takeBegin('{{')) statements.push(this.#output())
        else if (ends.some((end) => this.#stream.isTag(end))) return statements
        else statements.push(this.#tag())
      }
      if (ends.length > 0)
        throw new SyntaxError(`the end of the template, where ${ends.map((end) => `{% ${end} %}`).join(' or ')} must follow`)
      return statements
    })
  }

  /** The body of a tag, whose end is read. */
  #body(end: string): Statement[] {
    this.#endTag()
    const body = this.#statements([end])
    this.#stream.takeTag(end)
    return body
  }

  #endTag(): void {
    this.#stream.take(':')
    this.#stream.expectEnd('%}')
  }

  #output(): Statement {
    const value = this.#expressions.tuple({})
    this.#stream.expectEnd('}}')
    return { kind: 'output', value }
  }

  #tag(): Statement {
    this.#stream.expectBegin('{%')
    const name = this.#stream.expectName()
    const statement = this.#tagNamed(name)
    this.#stream.expectEnd('%}')
    return statement
  }

  #tagNamed(name: string): Statement {
    switch (name) {
      case 'for':
        return this.#for()
      case 'if':
        return this.#if()
      case 'set':
        return this.#set()
      case 'with':
        return this.#with()
      case 'macro':
        return { kind: 'macro', macro: this.#macro(this.#stream.expectName(), 'endmacro') }
      case 'call':
        return this.#call()
      case 'filter':
        return { kind: 'filterBlock', filters: this.#expressions.filterSteps(true), body: this.#body('endfilter') }
      case 'generation':
        return { kind: 'scope', body: this.#body('endgeneration') }
      case 'print':
        return { kind: 'output', value: this.#expressions.tuple({}) }
      case 'break':
      case 'continue':
        if (this.#loops === 0) throw new SyntaxError(`{% ${name} %} outside of a loop`)
        return { kind: name }
      default:
        throw new SyntaxError(
          ofSeveralFiles.has(name) ? `the tag "${name}" needs other files, which a chat template does not have` : `unknown tag "${name}"`,
        )
    }
  }

  #for(): Statement {
    const target = this.#target({ ends: ['in'] })
    this.#stream.expectWord('in')
    const iterable = this.#expressions.tuple({ withCondition: false, ends: ['recursive'] })
    const test = this.#stream.takeWord('if') ? this.#expressions.expression() : null
    const isRecursive = this.#stream.takeWord('recursive')
    this.#endTag()
    this.#loops += 1
    const body = this.#statements(['endfor', 'else'])
    this.#loops -= 1
    const otherwise = this.#stream.isTag('else') ? this.#otherwise('endfor') : []
    this.#stream.takeTag('endfor')
    return { kind: 'for', target, iterable, test, isRecursive, body, otherwise }
  }

  #otherwise(end: string): Statement[] {
    this.#stream.takeTag('else')
    this.#endTag()
    return this.#statements([end])
  }

  #if(): Statement {
    const branches: { test: Expression; body: Statement[] }[] = []
    do {
      const test = this.#expressions.tuple({ withCondition: false })
      this.#endTag()
      branches.push({ test, body: this.#statements(['elif', 'else', 'endif']) })
    } while (this.#stream.takeTagIf('elif'))
    const otherwise = this.#stream.isTag('else') ? this.#otherwise('endif') : []
    this.#stream.takeTag('endif')
    return { kind: 'if', branches, otherwise }
  }

  #set(): Statement {
    const target = this.#target({ withMembers: true })
    if (this.#stream.take('=')) return { kind: 'set', target, value: this.#expressions.tuple({}) }
    return { kind: 'setBlock', target, filters: this.#expressions.filterSteps(false), body: this.#body('endset') }
  }

  #with(): Statement {
    const assigned: [Target, Expression][] = []
    while (!this.#stream.isEnd('%}') && !this.#stream.is(':')) {
      if (assigned.length > 0) this.#stream.expect(',')
      const target = this.#target({ withTuple: false })
      this.#stream.expect('=')
      assigned.push([target, this.#expressions.expression()])
    }
    return { kind: 'with', assigned, body: this.#body('endwith') }
  }

  #call(): Statement {
    const parameters = this.#stream.is('(') ? this.#parameters() : []
    const called = this.#expressions.expression()
    if (called.kind !== 'call') throw new SyntaxError('{% call %} needs a call of a macro')
    const macro = this.#macroWith('None', parameters, 'endcall')
    return { kind: 'callBlock', callee: called.callee, given: called.given, macro }
  }

  #macro(name: string, end: string): MacroBody {
    return this.#macroWith(name, null, end)
  }

  #macroWith(name: string, known: MacroBody['parameters'] | null, end: string): MacroBody {
    const [loops, uses] = [this.#loops, new Set<string>()]
    this.#loops = 0
    const leave = this.#expressions.watchNames(uses)
    const parameters = known ?? this.#parameters()
    const body = this.#body(end)
    leave()
    this.#loops = loops
    return { name, parameters, body, uses }
  }

  #parameters(): MacroBody['parameters'] {
    const parameters: { name: string; defaultValue: Expression | null }[] = []
    this.#stream.expect('(')
    while (!this.#stream.is(')')) {
      if (parameters.length > 0) this.#stream.expect(',')
      const name = this.#stream.expectName()
      const defaultValue = this.#stream.take('=') ? this.#expressions.expression() : null
      if (defaultValue === null && parameters.at(-1)?.defaultValue) throw new SyntaxError('non-default argument follows default argument')
      parameters.push({ name, defaultValue })
    }
    this.#stream.expect(')')
    return parameters
  }

  #target({
    ends = [],
    withMembers = false,
    withTuple = true,
  }: {
    ends?: readonly string[]
    withMembers?: boolean
    withTuple?: boolean
  }): Target {
    const targets: Target[] = []
    let isTuple = false
    for (;;) {
      if (
        targets.length > 0 &&
        (this.#stream.isAnyEnd() || this.#stream.is('=') || this.#stream.is(')') || ends.some((end) => this.#stream.isWord(end)))
      )
        break
      targets.push(this.#oneTarget(withMembers))
      if (!withTuple || !this.#stream.take(',')) break
      isTuple = true
    }
    return isTuple ? { kind: 'tuple', targets } : targets[0]!
  }

  #oneTarget(withMembers: boolean): Target {
    if (this.#stream.take('(')) {
      const inner = this.#stream.nested(() => this.#target({ withMembers }))
      this.#stream.expect(')')
      return inner
    }
    const name = this.#stream.expectName()
    if (reserved.has(name)) throw new SyntaxError(`can't assign to '${name}'`)
    if (!withMembers || !this.#stream.take('.')) return { kind: 'name', name }
    return { kind: 'member', name, attribute: this.#stream.expectName() }
  }
}

const reserved: ReadonlySet<string> = new Set(['true', 'false', 'none', 'True', 'False', 'None'])
