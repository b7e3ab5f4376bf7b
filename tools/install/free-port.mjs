// Checks the port of a service before anything is installed or built for it.
import net from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { fail } from './installed.mjs'

const DEFAULT_PORT = 8787
const DEFAULT_HOST = '127.0.0.1'
/** A service that was just killed may hold its port for a moment. */
const TRIES = 12
const TRY_MS = 250

/**
 * Waits until the port of a command line is free. Ends the process with a sentence if it stays taken. Invalid values are for the parser
 * of the options, which is loaded later.
 * @param {readonly string[]} args
 */
export async function requireFreePort(args) {
  const port = Number(optionOf(args, '--port') ?? DEFAULT_PORT)
  const host = optionOf(args, '--host') ?? DEFAULT_HOST
  if (args.includes('--help') || !Number.isInteger(port) || port < 1 || port > 65_535 || !net.isIPv4(host)) return
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    if (await isFree(host, port)) return
    if (attempt === 1) console.log(`Port ${port} is taken: waiting for it ...`)
    await wait(TRY_MS)
  }
  fail(`port ${port} is taken: choose another with --port`)
}

/**
 * @param {readonly string[]} args
 * @param {string} option
 */
function optionOf(args, option) {
  const at = args.findLastIndex((arg) => arg === option || arg.startsWith(`${option}=`))
  return args[at]?.includes('=') ? args[at].slice(option.length + 1) : args[at + 1 || args.length]
}

/**
 * Whether something can listen there now. Other errors are reported when the service starts.
 * @param {string} host
 * @param {number} port
 */
function isFree(host, port) {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error) => resolve(!('code' in error && error.code === 'EADDRINUSE')))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
