import { isLower, isUpper } from './python/case.ts'
import { filtersOfTexts, type FilterArguments, type FilterResult, Floating, stringFilters } from './python/string-filters.ts'
import { callStringMethod, stringMethods } from './python/string-methods.ts'
import { textOf } from './python/text-of.ts'
import { Environment, Interpreter, type TemplateNode, type TemplateValue } from './jinja.ts'
import { assertElements } from './template-limits.ts'

/** A node whose value is known. */
interface KnownNode extends TemplateNode {
  type: 'Known'
  known: TemplateValue
}

const known = (value: TemplateValue): KnownNode => ({ type: 'Known', known: value })

/** Statements, which write nothing themselves. */
const silent: ReadonlySet<string> = new Set(['Set', 'Macro', 'Comment'])

/**
 * Interprets a template as Jinja does under Python: texts are strings of code points with Python's methods and Jinja's filters, white space and digits are
 * those of Python, and values are written as `str` writes them.
 */
export class PythonInterpreter extends Interpreter {
  override evaluate(statement: TemplateNode | undefined, environment: Environment): TemplateValue {
    return statement?.type === 'Known' ? (statement as KnownNode).known : super.evaluate(statement, environment)
  }

  override evaluateBlock(statements: readonly TemplateNode[], environment: Environment): TemplateValue {
    let text = ''
    for (const statement of statements) {
      const value = this.evaluate(statement, environment)
      if (!silent.has(statement.type)) text += textOf(value)
    }
    return toValue(text)
  }

  override evaluateMemberExpression(expression: TemplateNode, environment: Environment): TemplateValue {
    const object = this.evaluate(expression.object, environment)
    const { property } = expression
    if (object.type !== 'StringValue' || property?.type === 'SliceExpression')
      return super.evaluateMemberExpression({ ...expression, object: known(object) }, environment)
    const text = object.value as string
    const key = expression.computed === true ? this.evaluate(property, environment).value : property?.value
    if (typeof key === 'number') return toValue(Array.from(text).at(key))
    if (typeof key !== 'string' || !Object.hasOwn(stringMethods, key)) return toValue(undefined)
    return toValue((...args: unknown[]) => {
      const result = callStringMethod(key, text, args)
      if (Array.isArray(result)) assertElements(result.length)
      return result
    })
  }

  override evaluateBinaryExpression(node: TemplateNode, environment: Environment): TemplateValue {
    const operator = node.operator?.value
    if (operator !== '~' && operator !== '==' && operator !== '!=') return super.evaluateBinaryExpression(node, environment)
    const [left, right] = [this.evaluate(node.left, environment), this.evaluate(node.right, environment)]
    if (operator === '~') return toValue(textOf(left) + textOf(right))
    // A text equals no value of another type, whatever it is converted to.
    if ((left.type === 'StringValue') !== (right.type === 'StringValue')) return toValue(operator === '!=')
    return super.evaluateBinaryExpression({ ...node, left: known(left), right: known(right) }, environment)
  }

  override evaluateTestExpression(node: TemplateNode, environment: Environment): TemplateValue {
    const test = node.test?.value
    if (test !== 'lower' && test !== 'upper') return super.evaluateTestExpression(node, environment)
    const text = textOf(this.evaluate(node.operand, environment))
    return toValue((test === 'lower' ? isLower(text) : isUpper(text)) !== (node.negate === true))
  }

  override applyFilter(operand: TemplateValue, filter: TemplateNode, environment: Environment): TemplateValue {
    const name = (filter.type === 'CallExpression' ? filter.callee : filter)?.value
    const isText = operand.type === 'StringValue'
    const found = typeof name === 'string' ? findFilter(name, isText) : undefined
    if (!found) return super.applyFilter(operand, filter, environment)
    const [placed, named] = filter.type === 'CallExpression' ? this.evaluateArguments(filter.args ?? [], environment) : [[], new Map()]
    const args: FilterArguments = (place, key) => (placed[place] ?? (named.get(key) as TemplateValue | undefined))?.value
    return toResult(found(textOf(operand), args))
  }
}

function findFilter(name: string, isText: boolean): ((text: string, args: FilterArguments) => FilterResult) | undefined {
  if (Object.hasOwn(stringFilters, name)) return stringFilters[name]
  return isText && Object.hasOwn(filtersOfTexts, name) ? filtersOfTexts[name] : undefined
}

/** A value of the template library. */
export function toValue(value: unknown): TemplateValue {
  return new Environment().set('value', value)
}

const FloatValue = toValue(0.5).constructor as new (value: number) => TemplateValue

function toResult(result: FilterResult): TemplateValue {
  if (Array.isArray(result)) assertElements(result.length)
  return result instanceof Floating ? new FloatValue(result.value) : toValue(result)
}
