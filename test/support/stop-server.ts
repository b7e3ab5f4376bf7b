import type { Server } from 'node:http'

/**
 * Closes a server and its connections. Chromium connects ahead of requests. A server that is only closed waits for such a
 * connection for ever. Node.js does not count it as idle, and checks no timeouts of a closed server.
 */
export function stopServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  return closed
}
