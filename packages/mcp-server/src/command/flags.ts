/** Flags of the command, for `parseArgs` and for the help. */
export const flags = {
  url: { type: 'string', value: '<url>', help: 'address of the service (HEDDLE_BASE_URL, default http://127.0.0.1:7400)' },
  'training-url': {
    type: 'string',
    value: '<url>',
    help: 'address of the training service, where it is another (HEDDLE_TRAINING_BASE_URL)',
  },
  project: { type: 'string', value: '<entity/project>', help: 'project where a call names none (HEDDLE_PROJECT)' },
  config: { type: 'string', value: '<file>', help: 'JSON file with url, training_url, project and api_key' },
  toolsets: {
    type: 'string',
    value: '<names>',
    help: 'evals, traces, training, annotate, default the first three; auto: two tools that find and call them',
  },
  tools: { type: 'string', value: '<names>', help: 'single tools, beside toolsets where both are given' },
  'exclude-tools': { type: 'string', value: '<names>', help: 'tools to leave out' },
  'read-only': { type: 'boolean', help: 'only tools that read; wins over all else' },
  'allow-writes': { type: 'boolean', help: 'tools may start training jobs and give feedback' },
  'allow-destructive': { type: 'boolean', help: 'offer tools that delete; each deletion is confirmed' },
  'max-tokens': { type: 'string', value: '<n>', help: 'the most tokens of an answer, 500 to 20000' },
  http: { type: 'string', value: '[host:port]', help: 'serve streamable HTTP at /mcp instead of stdio; default 127.0.0.1:7402' },
  'allowed-hosts': { type: 'string', value: '<names>', help: 'names in the Host header; required beyond loopback' },
  'allowed-origins': { type: 'string', value: '<names>', help: 'hosts of pages that may call; default the allowed hosts' },
  'token-file': {
    type: 'string',
    value: '<file>',
    help: 'HTTP: take this one token, and use the own key; default: pass keys of callers through',
  },
  'oauth-issuer': { type: 'string', value: '<url>', help: 'HTTP: take access tokens of this authorization server, and use the own key' },
  'oauth-jwks': { type: 'string', value: '<url>', help: 'where its public keys are' },
  'oauth-resource': { type: 'string', value: '<url>', help: 'address of this server as clients know it: the audience of tokens' },
  'log-level': { type: 'string', value: '<level>', help: 'debug, info, error or silent; default error' },
  otel: { type: 'boolean', help: 'send a span of each call to the service, into the project; needs a key and a project' },
  'log-arguments': { type: 'boolean', help: 'log and send values of arguments, not only their sizes' },
  write: { type: 'boolean', help: 'init: change the file after showing what changes' },
  help: { type: 'boolean', short: 'h', help: 'print this' },
  version: { type: 'boolean', help: 'print the version' },
} as const

export type FlagValues = { [Name in keyof typeof flags]?: (typeof flags)[Name]['type'] extends 'boolean' ? boolean : string }

export function helpText(): string {
  const lines = Object.entries(flags).map(([name, flag]) => `  --${name}${'value' in flag ? ` ${flag.value}` : ''}`.padEnd(34) + flag.help)
  return [
    'Usage: heddle-mcp [options]                 serve over stdio, or over HTTP with --http',
    '       heddle-mcp doctor [options]          check Node, the settings and the services',
    '       heddle-mcp init <client> [--write]   print or write the settings of an assistant',
    '',
    'The API key is read from HEDDLE_API_KEY or from --config.',
    '',
    ...lines,
    '',
  ].join('\n')
}
