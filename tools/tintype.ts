// `npm run tintype -- COMMAND`: one entry to the commands of operators and contributors.

import path from 'node:path'
import type { Command } from './commands.ts'
import { COMMANDS } from './commands.ts'
import { findDeployed } from './deploy/deployed.ts'
import { become, continueInOwnNode, ensureInstalled, fail, ROOT, WRANGLER } from './install/installed.mjs'
import { messageOf } from './shared/command-line.ts'

const USAGE = `Usage: npm run tintype -- COMMAND [options]
Runs a command. Each lists its options with --help.
${Object.entries(COMMANDS).map(section).join('\n')}

tail, secret, versions, d1 and rollback are for the only deployment, or for --name WORKER or --deployment FILE. Further options are
those of wrangler.`

function section([title, commands]: [string, Readonly<Record<string, Command>>]) {
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(20)} ${summary}`)
  return [`\n${title}`, ...rows].join('\n')
}

const [word, ...args] = process.argv.slice(2)
if (word === undefined || word === '--help' || word === 'help') {
  console.log(USAGE)
  process.exit(word === undefined ? 1 : 0)
}
const command = Object.values(COMMANDS).flatMap((commands) => commands[word] ?? [])[0]
if (command === undefined) {
  fail(`${word.startsWith('-') ? `Unknown option '${word}'` : `there is no command "${word}"`}\n${USAGE}`)
}
if ('script' in command) {
  Object.assign(process.env, command.environment)
  // Benchmarks import packages before they read their options.
  if (command.script.startsWith('../bench/')) ensureInstalled('all')
  become(path.join(ROOT, 'tools', command.script), [...(command.args ?? []), ...args])
} else runWrangler(command.wrangler)

/** Runs wrangler for one deployment. Its own options that name another Worker are refused. */
function runWrangler(start: string[]) {
  ensureInstalled('service')
  continueInOwnNode()
  const { name, deployment, rest } = readTarget(args)
  try {
    if (rest.includes('--help')) return become(WRANGLER, [...start, ...rest])
    const deployed = findDeployed({ name, deployment })
    const { PUBLIC_DOMAINS: domains = '' } = deployed.config.vars ?? {}
    console.error(`${deployed.name} (${domains})`)
    become(WRANGLER, [...start, ...rest, '--config', deployed.file])
  } catch (error) {
    fail(messageOf(error))
  }
}

/** Returns which deployment is named, and the arguments that are wrangler's. */
function readTarget(given: string[]) {
  const target: { name?: string; deployment?: string; rest: string[] } = { rest: [] }
  for (let at = 0; at < given.length; at++) {
    const [, option = '', value] = /^(--?[a-z]+)(?:=(.*))?$/.exec(given[at] ?? '') ?? []
    if (option === '--name') target.name = value ?? given[++at] ?? ''
    else if (option === '--deployment') target.deployment = value ?? given[++at] ?? ''
    else if (['--config', '-c', '--env', '-e', '--cwd'].includes(option)) {
      fail(`${option} may take another deployment: use --name WORKER or --deployment FILE`)
    } else target.rest.push(given[at] ?? '')
  }
  return target
}
