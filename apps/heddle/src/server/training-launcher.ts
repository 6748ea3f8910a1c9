import { createOutgoing, createSecretMask, type Outgoing, parseAllowedTargets, type SecretMask } from '@heddle/outgoing'
import { createLauncher, type EngineLauncher, type LaunchEvent, type LauncherSettings } from '@heddle/training'
import { secretsOf } from '../settings/configured-secrets.ts'
import type { Configuration } from '../settings/configuration.ts'
import { hostOf } from './external-services.ts'
import type { ServerLog } from './server-log.ts'

/** The launcher that a file describes. Nothing is asked of its cluster yet. */
export function openLauncher(settings: LauncherSettings, configuration: Partial<Configuration>): EngineLauncher {
  const outgoing = outgoingTo(createSecretMask(secretsOf(configuration)))(settings.cluster.url)
  return createLauncher({ settings, token: configuration.trainingLauncherToken ?? null, outgoing })
}

/** A client for one address, which the operator or a cluster of the operator named; `secrets` do not come back from there. */
export function outgoingTo(secrets: SecretMask): (url: string) => Outgoing {
  return (url) => createOutgoing({ allowed: parseAllowedTargets([hostOf(url)]), secrets })
}

const texts = {
  launched: 'asked the cluster to start the training server',
  adopted: 'found the training server running on the cluster',
  ready: 'the training server responds',
}

export function logLaunch(event: LaunchEvent, logger: Pick<ServerLog, 'info' | 'warn'>): void {
  const { kind, ...fields } = event
  if (kind === 'failed') logger.warn(fields, 'the training server on the cluster failed')
  else logger.info(fields, texts[kind])
}
