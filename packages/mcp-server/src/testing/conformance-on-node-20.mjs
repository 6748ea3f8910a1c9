import { register } from 'node:module'

/** Gives the conformance suite `fs.globSync`, which Node 20 lacks: the suite imports it for reports about repositories, and calls it for nothing else. */
const fileSystem = `export * from 'node:fs'; export const globSync = () => { throw new Error('needs Node 22') }`
const hook = `export function resolve(specifier, context, next) {
  return specifier === 'fs' && context.parentURL?.includes('/conformance/')
    ? { url: ${JSON.stringify(toUrl(fileSystem))}, shortCircuit: true }
    : next(specifier, context)
}`

register(toUrl(hook))

/** @param {string} code */
function toUrl(code) {
  return `data:text/javascript,${encodeURIComponent(code)}`
}
