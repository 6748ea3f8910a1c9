import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Statuses of unreadable requests by the code of the error; all others are 400. */
const statuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** How long a client may send after the response, and how much. */
const lingerMs = 2_000
const lingerBytes = 16 * 2 ** 20

/**
 * Answers bytes that are not a request as Node does, but closes the connection only when the client has, within limits. Bytes that arrive at a closed
 * connection reset it, and the client may then see the reset instead of the response.
 */
export function answerUnreadable(server: Server): void {
  const answered = new WeakSet<Duplex>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser fails again on each part that follows.
    if (answered.has(socket)) return
    answered.add(socket)
    if (!socket.writable || error.code === 'ECONNRESET' || hasBegunResponse(socket)) return void socket.destroy(error)
    socket.end(`HTTP/1.1 ${statuses[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    discard(socket)
  })
}

/** Whether the response to the request before is on its way, which another one would cut in two. Node has no public name for it. */
function hasBegunResponse(socket: Duplex): boolean {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true
}

function discard(socket: Duplex): void {
  const cut = setTimeout(() => socket.destroy(), lingerMs)
  let left = lingerBytes
  socket.on('data', (part: Buffer) => {
    left -= part.length
    if (left < 0) socket.destroy()
  })
  socket.once('close', () => clearTimeout(cut))
}
