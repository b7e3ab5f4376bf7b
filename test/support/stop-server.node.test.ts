import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from '../contract/support/service.ts'
import { stopServer } from './stop-server.ts'

test('a stopped server waits for no connection on which nothing was requested', async () => {
  const port = await freePort()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const connection = connect(port, '127.0.0.1').on('error', () => {})
  await once(server, 'connection')
  await stopServer(server)
  if (!connection.closed) await once(connection, 'close')
  expect([server.listening, connection.closed]).toEqual([false, true])
})
