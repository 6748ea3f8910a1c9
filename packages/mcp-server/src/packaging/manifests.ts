import { tools } from '../tools/tools.ts'

/** Fields of package.json for the manifests. */
export interface PackageFacts {
  version: string
  mcpName: string
  description: string
  license: string
}

const packageName = '@heddle/mcp-server'

/** The variables by which the program is set, for forms of registries and assistants. */
const variables = [
  {
    name: 'HEDDLE_API_KEY',
    title: 'API key',
    description: 'Key of the Heddle server, from `heddle keys create`',
    isRequired: true,
    isSecret: true,
  },
  {
    name: 'HEDDLE_BASE_URL',
    title: 'Server',
    description: 'Address of the Heddle server',
    isRequired: false,
    isSecret: false,
    default: 'http://127.0.0.1:7400',
  },
  {
    name: 'HEDDLE_PROJECT',
    title: 'Project',
    description: 'Project where a call names none, as entity/project',
    isRequired: false,
    isSecret: false,
  },
] as const

/** The entry of the registry of MCP servers (schema 2025-12-11). */
export function toServerJson({ version, mcpName, description }: PackageFacts): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'Heddle',
    description,
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: packageName,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        environmentVariables: variables.map(({ title: _title, ...variable }) => variable),
      },
    ],
    remotes: [
      {
        type: 'streamable-http',
        url: '{server}/mcp',
        variables: { server: { description: 'Address of a Heddle server', isRequired: true, default: 'http://127.0.0.1:7400' } },
        headers: [{ name: 'Authorization', description: 'Bearer and an API key of the server', isRequired: true, isSecret: true }],
      },
    ],
  }
}

/** The manifest of an `.mcpb` bundle (version 0.3). */
export function toBundleManifest({ version, description, license }: PackageFacts): object {
  const userConfig = variables.map((variable) => {
    const { name, title, description, isRequired, isSecret } = variable
    return [
      name.toLowerCase(),
      {
        type: 'string',
        title,
        description,
        required: isRequired,
        sensitive: isSecret,
        ...('default' in variable && { default: variable.default }),
      },
    ] as const
  })
  return {
    manifest_version: '0.3',
    name: 'heddle',
    display_name: 'Heddle',
    version,
    description,
    author: { name: 'Heddle' },
    license,
    server: {
      type: 'node',
      entry_point: 'server/bin.mjs',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/server/bin.mjs'],
        env: Object.fromEntries(variables.map(({ name }) => [name, `\${user_config.${name.toLowerCase()}}`])),
      },
    },
    tools: tools.filter(({ toolset }) => toolset !== 'annotate').map(({ name, title }) => ({ name, description: title })),
    user_config: Object.fromEntries(userConfig),
    compatibility: { runtimes: { node: '>=20.19' } },
  }
}
