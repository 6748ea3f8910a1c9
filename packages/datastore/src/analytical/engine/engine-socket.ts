import { chmodSync, statSync } from 'node:fs'
import type { Server } from 'node:http'

export interface EngineSocketOptions {
  path: string
  /** A server that does not listen yet; all must answer the same. */
  newServer: () => Server
  /** Called when the socket opened first. */
  onReady: () => void
  /** Called when the socket was removed by another program, and has been opened again. */
  onReopened: () => void
  /** Called when it cannot be opened again, such as after the folder was removed. */
  onLost: (error: unknown) => void
  /** Milliseconds between two checks. Default 1,000. */
  checkEveryMs?: number
}

export interface EngineSocket {
  /** Stops listening, waits for requests in progress and calls back. */
  close(onClosed: () => void): void
}

/** Listens on a socket in a folder, for its owner alone, and opens it again when another program has removed it. */
export function openEngineSocket(options: EngineSocketOptions): EngineSocket {
  const { path, newServer, onReady, onReopened, onLost, checkEveryMs = 1_000 } = options
  let inode: number | undefined
  let server = listen(onReady)

  function listen(onListening: () => void): Server {
    const next = newServer()
    next.once('error', onLost)
    next.listen(path, () => {
      chmodSync(path, 0o600)
      inode = inodeOf(path)
      onListening()
    })
    return next
  }

  const timer = setInterval(() => {
    if (inode === undefined || inodeOf(path) === inode) return
    inode = undefined
    // Closed first, since closing removes the path, even if another process created it.
    server.close()
    server = listen(onReopened)
  }, checkEveryMs)

  return {
    close(onClosed) {
      clearInterval(timer)
      server.close(onClosed)
      server.closeIdleConnections()
    },
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}
