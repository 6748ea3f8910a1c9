import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { execute } from './execute.mjs'
import { startServer } from './server-process.mjs'
import { releaseTool } from './tools.mjs'

/** The newest line that runs on Node 20. */
const verdaccioVersion = '6.8.0'
/** A dependency requests one by the tag `cjs`, which mirrors of the registry may lack. */
const verdaccioOverrides = { 'node-fetch': '2.7.0' }
const minute = 60_000

/**
 * @typedef {object} LocalRegistry
 * @property {string} url
 * @property {(archive: string) => Promise<void>} publish as `npm publish` does; throws what npm printed when the registry refuses it
 * @property {() => Promise<void>} close
 */

/**
 * Starts a registry on loopback. It has the packages that are published to it and passes on all others. The names in `own` never come from elsewhere.
 * @param {{ folder: string, own: readonly string[] }} options `folder` takes its files
 * @returns {Promise<LocalRegistry>}
 */
export async function startLocalRegistry({ folder, own }) {
  mkdirSync(folder, { recursive: true })
  const verdaccio = await releaseTool('verdaccio', verdaccioVersion, verdaccioOverrides)
  const upstream = (await execute(['npm', 'config', 'get', 'registry'], { cwd: folder, timeoutMs: minute })).trim()
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify(toConfig({ folder, own, upstream }), null, 2))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const server = await startServer([process.execPath, join(verdaccio, 'bin', 'verdaccio'), '--config', config, '--listen', url], {
    cwd: folder,
    env: process.env,
    ready: /http address/,
    timeoutMs: 2 * minute,
  })
  const settings = join(folder, 'npmrc')
  writeFileSync(settings, `registry=${url}\n//127.0.0.1:${port}/:_authToken=${await register(url)}\n`)
  return {
    url,
    publish: async (archive) => {
      // A proof of origin is signed by the workflow that releases; there is none here.
      const command = ['npm', 'publish', archive, '--userconfig', settings, '--registry', url, '--provenance=false', '--ignore-scripts']
      await execute(command, { cwd: folder, timeoutMs: 2 * minute })
    },
    close: server.end,
  }
}

/** Verdaccio reads JSON too, which is YAML. @param {{ folder: string, own: readonly string[], upstream: string }} options */
function toConfig({ folder, own, upstream }) {
  const everyone = { access: '$all', publish: '$authenticated' }
  return {
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'users'), max_users: 1 } },
    uplinks: { upstream: { url: upstream, timeout: '5m', maxage: '1h' } },
    packages: { ...Object.fromEntries(own.map((name) => [name, everyone])), '**': { access: '$all', proxy: 'upstream' } },
    max_body_size: '200mb',
    web: { enable: false },
    log: { type: 'stdout', format: 'pretty', level: 'warn' },
  }
}

/** Registers the one user, who may publish. @param {string} url @returns {Promise<string>} the user's token */
async function register(url) {
  const response = await fetch(`${url}-/user/org.couchdb.user:rehearsal`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'rehearsal', password: 'only on loopback' }),
  })
  const answer = /** @type {{ token?: string }} */ (await response.json())
  if (answer.token === undefined) throw new Error(`the local registry gives no token: ${response.status} ${JSON.stringify(answer)}`)
  return answer.token
}

/** @returns {Promise<number>} */
function freePort() {
  const probe = createServer()
  return new Promise((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no free port'))))
    })
  })
}
