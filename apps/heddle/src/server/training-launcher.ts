import { join } from 'node:path'
import { createOutgoing, createSecretMask, type Outgoing, parseAllowedTargets, type SecretMask } from '@heddle/outgoing'
import { createLauncher, type EngineLauncher, type LaunchEvent, type LauncherSettings } from '@heddle/training'
import { secretsOf } from '../settings/configured-secrets.ts'
import type { Configuration } from '../settings/configuration.ts'
import { hostOf } from './external-services.ts'
import type { ServerLog } from '../log/server-log.ts'

/** The launcher that a file describes. It does not contact its cluster yet. */
export function openLauncher(
  settings: LauncherSettings,
  configuration: Partial<Configuration> & Pick<Configuration, 'dataDir'>,
): EngineLauncher {
  return createLauncher({
    settings,
    token: configuration.trainingLauncherToken ?? null,
    outgoingTo: outgoingTo(createSecretMask(secretsOf(configuration))),
    machine: { folder: join(configuration.dataDir, 'training-servers'), environment: variablesOfServers(process.env) },
  })
}

const passedNames = new Set(['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH'])
const passedPrefixes = ['LC_', 'CUDA_', 'NVIDIA_', 'HF_', 'UV_']

/** What a training server of this machine gets of the variables of this process, whose others may be secrets. */
export function variablesOfServers(environment: NodeJS.ProcessEnv): Record<string, string> {
  const isPassed = (name: string) => passedNames.has(name) || passedPrefixes.some((prefix) => name.startsWith(prefix))
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, text]) => (text !== undefined && isPassed(name) ? [[name, text]] : [])),
  )
}

/** A client for one address, which the operator or a cluster of the operator named; `secrets` do not come back from there. */
export function outgoingTo(secrets: SecretMask): (url: string) => Outgoing {
  return (url) => createOutgoing({ allowed: parseAllowedTargets([hostOf(url)]), secrets })
}

const texts = {
  launched: 'asked for a training server',
  adopted: 'found the training server running',
  ready: 'the training server responds',
}

export function logLaunch(event: LaunchEvent, logger: Pick<ServerLog, 'info' | 'warn'>): void {
  const { kind, ...fields } = event
  if (kind === 'failed') logger.warn(fields, 'the training server failed')
  else logger.info(fields, texts[kind])
}
