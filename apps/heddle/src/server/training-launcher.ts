import { createOutgoing, type Outgoing, parseAllowedTargets } from '@heddle/outgoing'
import { createLauncher, type EngineLauncher, type LaunchEvent, type LauncherSettings } from '@heddle/training'
import type { Configuration } from '../settings/configuration.ts'
import { hostOf } from './external-services.ts'
import type { ServerLog } from './server-log.ts'

/** The launcher that a file describes. Nothing is asked of its cluster yet. */
export function openLauncher(
  settings: LauncherSettings,
  { trainingLauncherToken: token }: Pick<Configuration, 'trainingLauncherToken'>,
): EngineLauncher {
  return createLauncher({ settings, token: token ?? null, outgoing: outgoingTo(settings.cluster.url) })
}

/** A client for one address, which the operator or a cluster of the operator named. */
export function outgoingTo(url: string): Outgoing {
  return createOutgoing({ allowed: parseAllowedTargets([hostOf(url)]) })
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
