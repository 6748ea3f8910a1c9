import packageJson from '../../package.json' with { type: 'json' }

/** Version of the server and of the command. */
export const version: string = packageJson.version
