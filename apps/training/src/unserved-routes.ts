import { training } from '@heddle/core-api'
import type { UnservedBodies, UnservedRequest } from '@heddle/service-kit'
import { anthropicError, openAiError } from './error-body.ts'
import { unversionedPaths } from './unversioned-paths.ts'

/** Characters of a path that a message repeats. */
const maxShown = 200

const { chatCompletions, completions, fineTuningJobs, messages, responses, servedModels, trainingFiles } = training
const openAiPaths = fixedPaths([chatCompletions, responses, completions, servedModels, trainingFiles, fineTuningJobs])
const anthropicPaths = fixedPaths([messages, servedModels])

/** Errors of requests that no operation takes, in the form of the provider whose client sent them. */
export const unservedRoutes: UnservedBodies = {
  prefixes: ['/v1/', ...unversionedPaths],
  body(request) {
    const status = request.allowed.length === 0 ? 404 : 405
    if (isOfAnthropic(request)) return anthropicError(status, explain(request, anthropicPaths), request.requestId)
    const message = explain(request, openAiPaths)
    return request.path.startsWith('/v1/preview/') ? { detail: message } : { error: openAiError(status, message), detail: message }
  },
}

const isOfAnthropic = ({ path, headers }: UnservedRequest) => /\/messages(\/|$)/.test(path) || headers.has('anthropic-version')

function explain({ method, path, allowed }: UnservedRequest, served: readonly string[]): string {
  const shown = path.length > maxShown ? `${path.slice(0, maxShown)}…` : path
  const refusal = `${method} ${shown} is not served`
  if (allowed.length > 0) return `${refusal}; this path has ${allowed.join(' and ')}`
  if (path.startsWith('/v1/v1/')) return `${refusal}; this client adds /v1 itself, so leave it out of its base URL`
  if (!path.startsWith('/v1/')) return `${refusal}; add /v1 to the base URL of the client`
  if (path.startsWith('/v1/preview/')) return `${refusal}; the API reference lists the operations`
  return `${refusal}; available: ${served.join(', ')}`
}

function fixedPaths(resources: readonly Readonly<Record<string, { path: string }>>[]): string[] {
  const paths = resources.flatMap((resource) => Object.values(resource).map(({ path }) => path))
  return [...new Set(paths.filter((path) => !path.includes('{')))]
}
