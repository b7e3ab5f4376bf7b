// The commands of `npm run tintype`, by section. Those that are used most are also scripts in package.json.
import { NO_TIME_LIMIT } from './verify/test-projects.ts'

/**
 * A script by its path from this folder, with arguments and environment variables, or a command of wrangler for one
 * deployment.
 */
export type Command =
  | { summary: string; script: string; args?: string[]; environment?: Record<string, string> }
  | { summary: string; wrangler: string[] }

export const COMMANDS: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  'A deployment': {
    deploy: { summary: 'checks the account, then deploys to Cloudflare', script: 'deploy/deploy.ts' },
    rollback: {
      summary: 'restores an older version, and lists what it does not know',
      script: 'deploy/rollback.ts',
    },
    tail: { summary: 'shows requests and errors as they happen', wrangler: ['tail'] },
    secret: { summary: 'put KEY, delete KEY, list: the secrets of the Worker', wrangler: ['secret'] },
    versions: { summary: 'list, view ID: the versions of the Worker', wrangler: ['versions'] },
    d1: { summary: 'export DB, time-travel info DB, execute DB: its databases', wrangler: ['d1'] },
    rehearse: { summary: 'tries a deployed service', script: 'verify/rehearse.ts' },
  },
  'A service': {
    moderate: { summary: 'reports, hides, removes and blocks', script: 'operate/moderate.ts' },
    reconcile: { summary: 'compares files with records', script: 'operate/reconcile.ts' },
    'upload-key': { summary: 'makes a key that may upload', script: 'operate/upload-key.ts' },
    previews: { summary: 'makes the previews that older images lack', script: 'operate/previews.ts' },
    conformance: { summary: 'runs the contract tests against a host', script: 'verify/conformance.ts' },
    stack: { summary: 'maps stacks of a log to the sources', script: 'operate/stack.ts' },
  },
  'This machine': {
    start: { summary: 'starts the service', script: 'serve/start.ts' },
    backup: { summary: 'copies a data folder, also while it is served', script: 'operate/backup.ts' },
    move: { summary: 'moves a data folder to a deployment, or back', script: 'move/move.ts' },
    restore: { summary: 'makes a data folder from a backup', script: 'operate/restore.ts' },
  },
  'Long tests, and tests with other programs': {
    fuzz: { summary: 'mutates images until stopped', script: 'verify/fuzz.ts' },
    crash: { summary: 'kills a service under load', script: 'verify/crash.ts' },
    powercut: { summary: 'cuts the power of a simulated disk', script: 'verify/powercut.ts' },
    hostile: { summary: 'sends mutated files and random requests', script: 'verify/hostile.ts' },
    histories: {
      summary: '5,000 random concurrent histories',
      ...tests('unit', { HISTORIES: '5000' }, ['test/domain/histories', 'test/http/cache/read-cache', NO_TIME_LIMIT]),
    },
    interleavings: {
      summary: 'every order of the storage calls of two operations',
      ...tests('unit', { INTERLEAVINGS: '20000' }, ['test/domain/interleavings', NO_TIME_LIMIT]),
    },
    faults: {
      summary: 'every fault at every call',
      ...tests('unit', { FAULTS: 'all' }, ['test/http/faults', NO_TIME_LIMIT]),
    },
    'faults:deploy': {
      summary: 'every fault at every call of a deployment, an upgrade and a rollback',
      ...tests('unit-node', { DEPLOY_FAULTS: 'all' }, ['test/tools/deploy/deploy-faults', NO_TIME_LIMIT]),
    },
    'test:tools': {
      summary: 'compares the codec with other programs',
      ...tests('codec-tools', { CODEC_TOOLS: '1' }, []),
    },
    'test:thorough': {
      summary: 'the long tests that npm test leaves out, or of which it runs a sample',
      script: 'verify/test.ts',
      environment: { THOROUGH: '1' },
    },
    'test:browsers': {
      summary: 'the main flows in Firefox and WebKit',
      ...tests('browsers', { BROWSERS: '1' }, []),
    },
    'test:editors': {
      summary: 'inserts into the editors of npm, in Chromium',
      ...tests('editors', { EDITORS: '1' }, []),
    },
    'test:plugins': {
      summary: 'the PicGo plugin and the MCP server in published programs',
      ...tests('plugins', { PLUGINS: '1' }, []),
    },
    'test:s3': { summary: 'tests files in S3 with real servers', ...tests('s3-*', { S3_SERVER: '1' }, []) },
  },
  Measurements: {
    'bench:api': { summary: 'latency and CPU of each operation', script: '../bench/api.ts' },
    'bench:codecs': { summary: 'speed of the codec', script: '../bench/codecs/codecs.ts' },
    'bench:files': { summary: 'files on the disk, in R2 and without syncs', script: '../bench/files.ts' },
    'bench:forms': { summary: 'CPU of reading multipart forms', script: '../bench/forms.ts' },
    'bench:hostile': { summary: 'honest clients during attacks', script: '../bench/hostile.ts' },
    'bench:limiter': { summary: 'CPU of the rate limiter', script: '../bench/limiter.ts' },
    'bench:load': { summary: 'a service under load', script: '../bench/load.ts' },
    'bench:memory': { summary: 'memory of uploads', script: '../bench/memory.ts' },
    'bench:pages': { summary: 'size and paints of pages in a browser', script: '../bench/pages.ts' },
    'bench:previews': { summary: 'frame rate while previews are drawn', script: '../bench/previews.ts' },
    'bench:prices': { summary: 'CPU of each endpoint', script: '../bench/prices.ts' },
    'bench:reads': { summary: 'reads of thumbnails and pages', script: '../bench/reads.ts' },
    'bench:shards': { summary: 'cost of several databases', script: '../bench/shards.ts' },
    'bench:slow-readers': { summary: 'memory of slow readers', script: '../bench/slow-readers.ts' },
    'bench:stuck-readers': { summary: 'memory of readers that stop', script: '../bench/stuck-readers.ts' },
    'bench:webp': { summary: 'bytes of lossy WebPs, beside cwebp', script: '../bench/codecs/webp-bytes.ts' },
  },
  'Releases and committed files': {
    icons: { summary: 'draws the icons of the installed page', script: 'build/icons.ts' },
    screenshots: {
      summary: 'takes screenshots of every page and state',
      script: 'verify/screenshots.ts',
    },
    'package:deb': {
      summary: 'makes a Debian package of the service',
      script: 'publish/debian.ts',
    },
    release: {
      summary: 'sets the version, dates the changelog, commits and tags',
      script: 'publish/release.ts',
    },
    'record:examples': {
      summary: 'records the examples of the OpenAPI document',
      ...tests('contract', { RECORD_EXAMPLES: '1' }, ['test/contract/examples.test.ts']),
    },
  },
}

/** Returns a command that runs a project of the tests. */
function tests(project: string, environment: Record<string, string>, args: string[]) {
  return { script: 'verify/test.ts', environment, args: ['--project', project, ...args] }
}
