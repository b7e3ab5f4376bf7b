// Runs one command in a network where this process is the hosts of HOSTS. It terminates their TLS and forwards all
// bytes: node behind-tls.mjs FOLDER COMMAND ARGUMENTS... The folder contains the certificate and the service's socket.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { createServer } from 'node:tls'

const HTTPS_PORT = 443

const [folder, command, ...parameters] = process.argv.slice(2)
const inFolder = (file) => path.join(folder, file)

const server = createServer({ key: readFileSync(inFolder('key.pem')), cert: readFileSync(inFolder('cert.pem')) })
server.on('secureConnection', (client) => {
  const service = connect(inFolder('service.sock'))
  client.pipe(service).pipe(client)
  client.on('error', () => service.destroy())
  service.on('error', () => client.destroy())
})
server.on('error', (error) => fail(`no server for the hosts: ${error.message}`))
server.listen(HTTPS_PORT, '127.0.0.1', () => {
  const child = spawn(command, parameters, { stdio: 'inherit' })
  child.on('error', (error) => fail(`${command} did not start: ${error.message}`))
  child.on('exit', (code) => process.exit(code ?? 1))
})

function fail(message) {
  console.error(message)
  process.exit(1)
}
