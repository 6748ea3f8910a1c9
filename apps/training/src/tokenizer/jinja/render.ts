import { textOf } from '../python/text-of.ts'
import { assertElements, assertLength, templateLimits, tooMuch } from '../template-limits.ts'
import { applyFilter } from './filters.ts'
import type { FilterCalls } from './filter.ts'
import { LoopState } from './loop.ts'
import { attributeOf, itemOf, sliceOf } from './members.ts'
import type { Expression, FilterStep, ForStatement, ArgumentExpressions, MacroBody, Statement, Target } from './nodes.ts'
import { applyBinary, applyComparison, applySign } from './operators.ts'
import { Scope } from './scope.ts'
import { applyTest } from './tests.ts'
import {
  type CallArguments,
  Callable,
  Dict,
  isTrue,
  iterate,
  Namespace,
  orElse,
  Tuple,
  typeName,
  Undefined,
  type Value,
  WithAttributes,
} from '../python/values.ts'

// A loop makes a scope for each element, which costs as much as some twenty nodes.
const stepsOfElement = 20

/**
 * Renders a parsed template as Jinja does under Python, with bounds on its work and on every value, so that no template can hold the process or fill its
 * memory.
 * @throws TypeError for what Python raises an error, ChatTemplateError beyond a limit
 */
export function renderTemplate(statements: readonly Statement[], variables: ReadonlyMap<string, Value>): string {
  const scope = new Scope(null)
  for (const [name, value] of variables) scope.set(name, value)
  return new Renderer().capture(statements, scope)
}

/** How a loop's body ended. */
type Leave = 'break' | 'continue' | null

class Renderer implements FilterCalls {
  #steps = 0
  #depth = 0
  #written: string[] = []
  #length = 0

  /** What statements write. */
  capture(statements: readonly Statement[], scope: Scope): string {
    const [around, length] = [this.#written, this.#length]
    this.#written = []
    this.#length = 0
    try {
      this.#runAll(statements, scope)
      return this.#written.join('')
    } finally {
      this.#written = around
      this.#length = length
    }
  }

  filter(name: string, value: Value, given: CallArguments): Value {
    this.#count(1)
    return bounded(applyFilter(name, value, given, this))
  }

  test(name: string, value: Value, given: CallArguments): boolean {
    this.#count(1)
    return applyTest(name, value, given)
  }

  #count(steps: number): void {
    this.#steps += steps
    if (this.#steps > templateLimits.steps) throw tooMuch(`${templateLimits.steps} steps`)
  }

  #write(text: string): void {
    this.#length += text.length
    assertLength(this.#length)
    this.#written.push(text)
  }

  #runAll(statements: readonly Statement[], scope: Scope): Leave {
    for (const statement of statements) {
      const leave = this.#run(statement, scope)
      if (leave !== null) return leave
    }
    return null
  }

  #run(statement: Statement, scope: Scope): Leave {
    this.#count(1)
    switch (statement.kind) {
      case 'text':
        this.#write(statement.text)
        return null
      case 'output':
        this.#write(textOf(this.#evaluate(statement.value, scope)))
        return null
      case 'if': {
        const branch = statement.branches.find(({ test }) => isTrue(this.#evaluate(test, scope)))
        return this.#runAll(branch?.body ?? statement.otherwise, scope)
      }
      case 'for':
        this.#loop(statement, scope)
        return null
      case 'break':
      case 'continue':
        return statement.kind
      case 'with':
        return this.#with(statement, scope)
      case 'scope':
        return this.#runAll(statement.body, new Scope(scope))
      default:
        this.#assign(statement, scope)
        return null
    }
  }

  #assign(
    statement: Exclude<Statement, { kind: 'text' | 'output' | 'if' | 'for' | 'break' | 'continue' | 'with' | 'scope' }>,
    scope: Scope,
  ): void {
    switch (statement.kind) {
      case 'set':
        return this.#store(statement.target, this.#evaluate(statement.value, scope), scope)
      case 'setBlock':
        return this.#store(statement.target, this.#filtered(statement, scope), scope)
      case 'filterBlock':
        return this.#write(textOf(this.#filtered(statement, scope)))
      case 'macro':
        return scope.set(statement.macro.name, this.#macro(statement.macro, scope))
      case 'callBlock':
        return this.#write(textOf(this.#callBlock(statement, scope)))
    }
  }

  #filtered({ filters, body }: { filters: readonly FilterStep[]; body: readonly Statement[] }, scope: Scope): Value {
    let value: Value = this.capture(body, new Scope(scope))
    for (const { name, given } of filters) value = this.filter(name, value, this.#arguments(given, scope))
    return value
  }

  #with({ assigned, body }: Extract<Statement, { kind: 'with' }>, scope: Scope): Leave {
    const inner = new Scope(scope)
    const values = assigned.map(([, value]) => this.#evaluate(value, scope))
    for (const [at, [target]] of assigned.entries()) this.#store(target, values[at]!, inner)
    return this.#runAll(body, inner)
  }

  #store(target: Target, value: Value, scope: Scope): void {
    if (target.kind === 'name') return scope.set(target.name, value)
    if (target.kind === 'member') return setMember(scope.get(target.name), target.attribute, value)
    const values = [...iterate(value)]
    if (values.length < target.targets.length)
      throw new TypeError(`not enough values to unpack (expected ${target.targets.length}, got ${values.length})`)
    if (values.length > target.targets.length) throw new TypeError(`too many values to unpack (expected ${target.targets.length})`)
    for (const [at, each] of target.targets.entries()) this.#store(each, values[at]!, scope)
  }

  #loop(statement: ForStatement, scope: Scope): void {
    this.#loopOver(statement, scope, { iterable: this.#evaluate(statement.iterable, scope), depth: 0 })
  }

  #loopOver(statement: ForStatement, scope: Scope, { iterable, depth }: { iterable: Value; depth: number }): void {
    const elements = this.#elements(statement, scope, iterable)
    const recurse = ({ placed: [inner] }: CallArguments) =>
      this.#captureNested(() =>
        this.#loopOver(statement, scope, { iterable: orElse(inner, new Undefined('loop() needs a list')), depth: depth + 1 }),
      )
    const loop = new LoopState({ elements, depth, recurse: statement.isRecursive ? recurse : null })
    for (const [at, element] of elements.entries()) {
      const inner = new Scope(scope)
      loop.moveTo(at)
      inner.set('loop', loop.value)
      this.#store(statement.target, element, inner)
      if (this.#runAll(statement.body, inner) === 'break') break
    }
    if (elements.length === 0) this.#runAll(statement.otherwise, new Scope(scope))
  }

  #elements({ target, test }: ForStatement, scope: Scope, iterable: Value): Value[] {
    const elements: Value[] = []
    for (const element of iterate(iterable)) {
      this.#count(stepsOfElement)
      assertElements(elements.length + 1)
      if (test === null || this.#holds({ target, test }, element, scope)) elements.push(element)
    }
    return elements
  }

  #holds({ target, test }: { target: Target; test: Expression }, element: Value, scope: Scope): boolean {
    const inner = new Scope(scope)
    this.#store(target, element, inner)
    return isTrue(this.#evaluate(test, inner))
  }

  #captureNested(run: () => void): string {
    const [around, length] = [this.#written, this.#length]
    this.#written = []
    this.#length = 0
    this.#deeper(run)
    const text = this.#written.join('')
    this.#written = around
    this.#length = length
    return text
  }

  #deeper<T>(run: () => T): T {
    this.#depth += 1
    if (this.#depth > templateLimits.depth) throw tooMuch(`${templateLimits.depth} calls of macros within each other`)
    const result = run()
    this.#depth -= 1
    return result
  }

  #macro(macro: MacroBody, scope: Scope): WithAttributes {
    const names = macro.parameters.map(({ name }) => name)
    const attributes: Readonly<Record<string, Value>> = {
      name: macro.name,
      arguments: new Tuple(names),
      caller: macro.uses.has('caller'),
      catch_kwargs: macro.uses.has('kwargs'),
      catch_varargs: macro.uses.has('varargs'),
    }
    const call = (given: CallArguments) => this.#deeper(() => this.capture(macro.body, this.#bind(macro, given, scope)))
    return new WithAttributes(`<Macro '${macro.name}'>`, (name) => (Object.hasOwn(attributes, name) ? attributes[name] : undefined), call)
  }

  /** The scope of a macro's body, with its arguments. */
  #bind({ name, parameters, uses }: MacroBody, { placed, named }: CallArguments, scope: Scope): Scope {
    const inner = new Scope(scope)
    const left = new Map(named)
    for (const [at, parameter] of parameters.entries()) {
      const value = placed[at] === undefined ? left.get(parameter.name) : placed[at]
      if (placed[at] === undefined) left.delete(parameter.name)
      const missing = new Undefined(`parameter '${parameter.name}' was not provided`)
      inner.set(
        parameter.name,
        value === undefined ? (parameter.defaultValue === null ? missing : this.#evaluate(parameter.defaultValue, inner)) : value,
      )
    }
    if (uses.has('caller') && !parameters.some((parameter) => parameter.name === 'caller')) {
      inner.set('caller', orElse(left.get('caller'), new Undefined('No caller defined')))
      left.delete('caller')
    }
    if (uses.has('kwargs')) inner.set('kwargs', new Dict(left))
    else if (left.size > 0) throw new TypeError(`macro '${name}' takes no keyword argument '${[...left.keys()][0]}'`)
    if (uses.has('varargs')) inner.set('varargs', new Tuple(placed.slice(parameters.length)))
    else if (placed.length > parameters.length) throw new TypeError(`macro '${name}' takes not more than ${parameters.length} argument(s)`)
    return inner
  }

  #callBlock({ callee, given, macro }: Extract<Statement, { kind: 'callBlock' }>, scope: Scope): Value {
    const { placed, named } = this.#arguments(given, scope)
    return this.#call(this.#evaluate(callee, scope), { placed, named: new Map([...named, ['caller', this.#macro(macro, scope)]]) })
  }

  #call(callee: Value, given: CallArguments): Value {
    if (callee instanceof Undefined) throw new TypeError(callee.reason)
    const isCallable = callee instanceof Callable || (callee instanceof WithAttributes && callee.call !== null)
    if (!isCallable) throw new TypeError(`'${typeName(callee)}' object is not callable`)
    return bounded(callee.call!(given))
  }

  #arguments({ placed, named, list, mapping }: ArgumentExpressions, scope: Scope): CallArguments {
    const values = placed.map((each) => this.#evaluate(each, scope))
    const byName = new Map(named.map(([name, each]) => [name, this.#evaluate(each, scope)]))
    if (list !== null) for (const each of iterate(this.#evaluate(list, scope))) values.push(each)
    if (mapping !== null) this.#addMapping(this.#evaluate(mapping, scope), byName)
    return { placed: values, named: byName }
  }

  #addMapping(mapping: Value, named: Map<string, Value>): void {
    if (!(mapping instanceof Dict)) throw new TypeError('argument after ** must be a mapping')
    for (const [key, value] of mapping.entries()) {
      if (typeof key !== 'string') throw new TypeError('keywords must be strings')
      if (named.has(key)) throw new TypeError(`got multiple values for keyword argument '${key}'`)
      named.set(key, value)
    }
  }

  #evaluate(expression: Expression, scope: Scope): Value {
    this.#count(1)
    switch (expression.kind) {
      case 'constant':
        return expression.value
      case 'name':
        return scope.get(expression.name)
      case 'attribute':
        return attributeOf(this.#evaluate(expression.object, scope), expression.name)
      case 'item':
        return this.#item(expression, scope)
      case 'call':
        return this.#call(this.#evaluate(expression.callee, scope), this.#arguments(expression.given, scope))
      case 'filter':
        return this.filter(expression.name, this.#evaluate(expression.operand, scope), this.#arguments(expression.given, scope))
      case 'test':
        return this.test(expression.name, this.#evaluate(expression.operand, scope), this.#arguments(expression.given, scope))
      case 'list':
        return expression.items.map((item) => this.#evaluate(item, scope))
      case 'tuple':
        return new Tuple(expression.items.map((item) => this.#evaluate(item, scope)))
      case 'dict':
        return new Dict(expression.entries.map(([key, value]) => [this.#evaluate(key, scope), this.#evaluate(value, scope)]))
      default:
        return this.#operate(expression, scope)
    }
  }

  #operate(
    expression: Extract<Expression, { kind: 'unary' | 'binary' | 'compare' | 'concat' | 'and' | 'or' | 'condition' | 'slice' }>,
    scope: Scope,
  ): Value {
    switch (expression.kind) {
      case 'unary': {
        const value = this.#evaluate(expression.operand, scope)
        return expression.operator === 'not' ? !isTrue(value) : applySign(expression.operator, value)
      }
      case 'binary':
        return bounded(applyBinary(expression.operator, this.#evaluate(expression.left, scope), this.#evaluate(expression.right, scope)))
      case 'compare':
        return this.#compare(expression, scope)
      case 'concat':
        return this.#concat(expression.parts, scope)
      case 'and':
      case 'or': {
        const left = this.#evaluate(expression.left, scope)
        return isTrue(left) === (expression.kind === 'and') ? this.#evaluate(expression.right, scope) : left
      }
      case 'condition':
        if (isTrue(this.#evaluate(expression.test, scope))) return this.#evaluate(expression.met, scope)
        if (expression.otherwise !== null) return this.#evaluate(expression.otherwise, scope)
        return new Undefined('the inline if-expression evaluated to false and no else section was defined.')
      case 'slice':
        throw new TypeError('a slice is only possible in brackets behind a value')
    }
  }

  #item({ object, key }: Extract<Expression, { kind: 'item' }>, scope: Scope): Value {
    const value = this.#evaluate(object, scope)
    if (key.kind !== 'slice') return itemOf(value, this.#evaluate(key, scope))
    const bound = (part: Expression | null) => (part === null ? null : this.#evaluate(part, scope))
    return sliceOf(value, { start: bound(key.start), stop: bound(key.stop), step: bound(key.step) })
  }

  /** Each value is compared with the one before, as far as these hold. */
  #compare({ first, others }: Extract<Expression, { kind: 'compare' }>, scope: Scope): boolean {
    let left = this.#evaluate(first, scope)
    for (const [operator, other] of others) {
      const right = this.#evaluate(other, scope)
      if (!applyComparison(operator, left, right)) return false
      left = right
    }
    return true
  }

  #concat(parts: readonly Expression[], scope: Scope): string {
    const texts = parts.map((part) => textOf(this.#evaluate(part, scope)))
    assertLength(texts.reduce((sum, text) => sum + text.length, 0))
    return texts.join('')
  }
}

function setMember(object: Value, name: string, value: Value): void {
  if (!(object instanceof Namespace)) throw new TypeError('cannot assign attribute on non-namespace object')
  assertMemberName(name)
  object.values.set(name, value)
}

/** @throws TypeError for a name that the Transformers library keeps from templates */
export function assertMemberName(name: Value): void {
  if (typeof name === 'string' && name.startsWith('_'))
    throw new TypeError(`a namespace takes no attribute that begins with an underscore: '${name}'`)
}

function bounded(value: Value): Value {
  if (typeof value === 'string') assertLength(value.length)
  if (Array.isArray(value)) assertElements(value.length)
  return value
}
