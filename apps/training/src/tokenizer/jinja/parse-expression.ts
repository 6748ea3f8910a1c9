import type { BinaryOperator, CompareOperator, Expression, FilterStep, ArgumentExpressions } from './nodes.ts'
import type { TokenStream } from './token-stream.ts'

const constants: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
])

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>='])

const noArguments: ArgumentExpressions = { placed: [], named: [], list: null, mapping: null }

interface TupleOptions {
  /** Whether it may contain `a if b else c`. Default true. */
  withCondition?: boolean
  /** Words that end it. */
  ends?: readonly string[]
  /** In parentheses, where it may be empty. Default false. */
  isInParentheses?: boolean
}

/** Reads expressions with Jinja's order of operators. */
export class ExpressionParser {
  readonly #stream: TokenStream
  readonly #watchers = new Set<Set<string>>()

  constructor(stream: TokenStream) {
    this.#stream = stream
  }

  /** Collects the names that are used from here on, until the returned function is called. */
  watchNames(names: Set<string>): () => void {
    this.#watchers.add(names)
    return () => this.#watchers.delete(names)
  }

  expression(withCondition = true): Expression {
    return this.#stream.nested(() => (withCondition ? this.#condition() : this.#or()))
  }

  /** One expression, or several with commas between them. */
  tuple({ withCondition = true, ends = [], isInParentheses = false }: TupleOptions): Expression {
    const items: Expression[] = []
    let isTuple = false
    while (!this.#isTupleEnd(ends)) {
      items.push(this.expression(withCondition))
      if (!this.#stream.take(',')) break
      isTuple = true
    }
    if (isTuple || (items.length === 0 && isInParentheses)) return { kind: 'tuple', items }
    return items[0] ?? this.#fail('an expression')
  }

  /** Filters one behind the other, as `{% set %}` and `{% filter %}` have them. */
  filterSteps(isFirstPlain: boolean): FilterStep[] {
    const steps: FilterStep[] = []
    for (let isPlain = isFirstPlain; isPlain || this.#stream.take('|'); isPlain = false) {
      const name = this.#dottedName()
      steps.push({ name, given: this.#stream.is('(') ? this.#arguments() : noArguments })
    }
    return steps
  }

  #isTupleEnd(ends: readonly string[]): boolean {
    return this.#stream.isAnyEnd() || this.#stream.is(')') || ends.some((end) => this.#stream.isWord(end))
  }

  #condition(): Expression {
    let value = this.#or()
    while (this.#stream.takeWord('if')) {
      const test = this.#or()
      const otherwise = this.#stream.takeWord('else') ? this.expression() : null
      value = { kind: 'condition', test, met: value, otherwise }
    }
    return value
  }

  #or(): Expression {
    let left = this.#and()
    while (this.#stream.takeWord('or')) left = { kind: 'or', left, right: this.#and() }
    return left
  }

  #and(): Expression {
    let left = this.#not()
    while (this.#stream.takeWord('and')) left = { kind: 'and', left, right: this.#not() }
    return left
  }

  #not(): Expression {
    if (!this.#stream.takeWord('not')) return this.#compare()
    return this.#stream.nested(() => ({ kind: 'unary', operator: 'not', operand: this.#not() }))
  }

  #compare(): Expression {
    const first = this.#sum()
    const others: [CompareOperator, Expression][] = []
    for (let operator = this.#comparison(); operator !== null; operator = this.#comparison()) others.push([operator, this.#sum()])
    return others.length === 0 ? first : { kind: 'compare', first, others }
  }

  #comparison(): CompareOperator | null {
    const token = this.#stream.current
    if (token?.kind === 'operator' && comparisons.has(token.text)) return this.#stream.next().text as CompareOperator
    if (this.#stream.takeWord('in')) return 'in'
    if (!this.#stream.isWord('not') || !this.#stream.isWord('in', 1)) return null
    this.#stream.next()
    this.#stream.next()
    return 'not in'
  }

  #sum(): Expression {
    return this.#binary(['+', '-'], () => this.#concat())
  }

  #concat(): Expression {
    const parts = [this.#product()]
    while (this.#stream.take('~')) parts.push(this.#product())
    return parts.length === 1 ? parts[0]! : { kind: 'concat', parts }
  }

  #product(): Expression {
    return this.#binary(['*', '/', '//', '%'], () => this.#power())
  }

  #power(): Expression {
    let left = this.#unary(true)
    while (this.#stream.take('**')) {
      const right = this.#unary(true)
      // Jinja writes a negative number into Python without parentheses, where the power binds tighter than the sign.
      left =
        left.kind === 'unary' && left.operator === '-' && left.operand.kind === 'constant' && right.kind !== 'constant'
          ? { ...left, operand: { kind: 'binary', operator: '**', left: left.operand, right } }
          : { kind: 'binary', operator: '**', left, right }
    }
    return left
  }

  #binary(operators: readonly BinaryOperator[], operand: () => Expression): Expression {
    let left = operand()
    for (;;) {
      const operator = operators.find((each) => this.#stream.take(each))
      if (operator === undefined) return left
      left = { kind: 'binary', operator, left, right: operand() }
    }
  }

  #unary(withFilter: boolean): Expression {
    const sign = this.#stream.take('-') ? '-' : this.#stream.take('+') ? '+' : null
    const value: Expression =
      sign === null ? this.#primary() : { kind: 'unary', operator: sign, operand: this.#stream.nested(() => this.#unary(false)) }
    const whole = this.#postfix(value)
    return withFilter ? this.#filters(whole) : whole
  }

  #primary(): Expression {
    const token = this.#stream.current
    switch (token?.kind) {
      case 'name':
        this.#stream.next()
        return this.#name(token.text)
      case 'string':
        return this.#texts()
      case 'integer':
      case 'float':
        this.#stream.next()
        return { kind: 'constant', value: token.value }
      case 'operator':
        return this.#bracketed(token.text)
      default:
        return this.#fail('an expression')
    }
  }

  #name(name: string): Expression {
    const constant = constants.get(name)
    if (constant !== undefined) return { kind: 'constant', value: constant }
    if (/^\d/u.test(name)) throw new SyntaxError(`invalid name ${JSON.stringify(name)}`)
    for (const names of this.#watchers) names.add(name)
    return { kind: 'name', name }
  }

  /** Adjacent string literals are joined. */
  #texts(): Expression {
    let text = ''
    while (this.#stream.current?.kind === 'string') text += this.#stream.next().text
    return { kind: 'constant', value: text }
  }

  #bracketed(open: string): Expression {
    if (this.#stream.take('(')) {
      const value = this.#stream.nested(() => this.tuple({ isInParentheses: true }))
      this.#stream.expect(')')
      return value
    }
    if (this.#stream.take('[')) return { kind: 'list', items: this.#items(']', () => this.expression()) }
    if (this.#stream.take('{')) return { kind: 'dict', entries: this.#items('}', () => this.#entry()) }
    throw new SyntaxError(`unexpected '${open}'`)
  }

  #entry(): [Expression, Expression] {
    const key = this.expression()
    this.#stream.expect(':')
    return [key, this.expression()]
  }

  #items<T>(close: string, read: () => T): T[] {
    const items: T[] = []
    while (!this.#stream.is(close)) {
      if (items.length > 0) this.#stream.expect(',')
      if (this.#stream.is(close)) break
      items.push(read())
    }
    this.#stream.expect(close)
    return items
  }

  #postfix(value: Expression): Expression {
    for (let whole = value; ;) {
      if (this.#stream.take('.')) whole = this.#attribute(whole)
      else if (this.#stream.take('[')) whole = { kind: 'item', object: whole, key: this.#subscript() }
      else if (this.#stream.is('(')) whole = { kind: 'call', callee: whole, given: this.#arguments() }
      else return whole
    }
  }

  #attribute(object: Expression): Expression {
    const token = this.#stream.next()
    if (token.kind === 'name') return { kind: 'attribute', object, name: token.text }
    if (token.kind === 'integer') return { kind: 'item', object, key: { kind: 'constant', value: token.value } }
    throw new SyntaxError(`expected name or number, got ${JSON.stringify(token.text)}`)
  }

  #subscript(): Expression {
    const keys: Expression[] = []
    while (!this.#stream.is(']')) {
      if (keys.length > 0) this.#stream.expect(',')
      keys.push(this.#key())
    }
    this.#stream.expect(']')
    return keys.length === 1 ? keys[0]! : { kind: 'tuple', items: keys }
  }

  #key(): Expression {
    const isOver = () => this.#stream.is(']') || this.#stream.is(',')
    const start = this.#stream.is(':') ? null : this.expression()
    if (!this.#stream.take(':')) return start!
    const stop = isOver() || this.#stream.is(':') ? null : this.expression()
    const step = this.#stream.take(':') && !isOver() ? this.expression() : null
    return { kind: 'slice', start, stop, step }
  }

  #filters(value: Expression): Expression {
    for (let whole = value; ;) {
      if (this.#stream.take('|')) {
        const name = this.#dottedName()
        whole = { kind: 'filter', operand: whole, name, given: this.#stream.is('(') ? this.#arguments() : noArguments }
      } else if (this.#stream.takeWord('is')) whole = this.#test(whole)
      else if (this.#stream.is('(')) whole = { kind: 'call', callee: whole, given: this.#arguments() }
      else return whole
    }
  }

  #test(operand: Expression): Expression {
    const isNegated = this.#stream.takeWord('not')
    const name = this.#dottedName()
    const test: Expression = { kind: 'test', operand, name, given: this.#testArguments() }
    return isNegated ? { kind: 'unary', operator: 'not', operand: test } : test
  }

  /** A test takes one argument without parentheses. */
  #testArguments(): ArgumentExpressions {
    if (this.#stream.is('(')) return this.#arguments()
    const token = this.#stream.current
    const isValue = token?.kind === 'name' ? !['else', 'or', 'and'].includes(token.text) : isValueStart(token?.kind, token?.text)
    if (!isValue) return noArguments
    if (this.#stream.isWord('is')) throw new SyntaxError('tests with `is` cannot follow each other')
    return { ...noArguments, placed: [this.#postfix(this.#primary())] }
  }

  #dottedName(): string {
    let name = this.#stream.expectName()
    while (this.#stream.take('.')) name += `.${this.#stream.expectName()}`
    return name
  }

  #arguments(): ArgumentExpressions {
    return this.#stream.nested(() => {
      this.#stream.expect('(')
      const reader = new ArgumentReader(this.#stream, this)
      reader.read()
      this.#stream.expect(')')
      return reader
    })
  }

  #fail(wanted: string): never {
    throw new SyntaxError(`expected ${wanted}, got ${this.#stream.describe()}`)
  }
}

function isValueStart(kind: string | undefined, text: string | undefined): boolean {
  return kind === 'string' || kind === 'integer' || kind === 'float' || (kind === 'operator' && ['[', '{'].includes(text!))
}

class ArgumentReader implements ArgumentExpressions {
  readonly placed: Expression[] = []
  readonly named: [string, Expression][] = []
  list: Expression | null = null
  mapping: Expression | null = null
  readonly #stream: TokenStream
  readonly #expressions: ExpressionParser

  constructor(stream: TokenStream, expressions: ExpressionParser) {
    this.#stream = stream
    this.#expressions = expressions
  }

  read(): void {
    for (let isFirst = true; !this.#stream.is(')'); isFirst = false) {
      if (!isFirst) this.#stream.expect(',')
      if (this.#stream.is(')')) return
      this.#readOne()
    }
  }

  #readOne(): void {
    if (this.#stream.take('*')) {
      this.#require(this.list === null && this.mapping === null)
      this.list = this.#expressions.expression()
    } else if (this.#stream.take('**')) {
      this.#require(this.mapping === null)
      this.mapping = this.#expressions.expression()
    } else if (this.#stream.current?.kind === 'name' && this.#stream.isOperatorAhead('=')) {
      this.#require(this.mapping === null)
      const name = this.#stream.expectName()
      this.#stream.expect('=')
      this.named.push([name, this.#expressions.expression()])
    } else {
      this.#require(this.list === null && this.mapping === null && this.named.length === 0)
      this.placed.push(this.#expressions.expression())
    }
  }

  #require(isInOrder: boolean): void {
    if (!isInOrder) throw new SyntaxError('invalid syntax for function call expression')
  }
}
