/** A folder of a bucket, and its S3 service. */
interface S3Location {
  bucket: string
  /** Keys begin with it: empty, or a path that ends in `/`. */
  folder: string
  /** The address of the service, without a slash at its end. */
  endpoint: string
  region: string
  /** Whether the bucket is the first label of the host, or the first part of the path. */
  addressing: 'path' | 'virtual-host'
}

/** The keys of an account. They are never logged. */
interface S3Credentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

/** A location, and the keys to reach it. */
export interface S3Settings extends S3Location {
  credentials: S3Credentials
  /** False where the service is known to refuse `If-None-Match: *`, or to overwrite in spite of it. */
  hasConditionalPut: boolean
}

/** The variables of the Worker that say where the files are, if they are not in R2: docs/operating.md#settings. */
export interface S3Variables {
  /** `s3://bucket` or `s3://bucket/folder`. */
  S3_URL?: string
  /** By default that of Amazon in the region. */
  S3_ENDPOINT?: string
  S3_REGION?: string
  S3_ADDRESSING?: string
  /** `off` where the service refuses `If-None-Match: *`, or overwrites in spite of it. */
  S3_CONDITIONAL_PUT?: string
  AWS_ACCESS_KEY_ID?: string
  /** Never logged, as the next one. */
  AWS_SECRET_ACCESS_KEY?: string
  AWS_SESSION_TOKEN?: string
}

const DEFAULT_REGION = 'us-east-1'
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const FOLDER = /^(?:[\w-][\w.-]*\/)*$/
const REGION = /^[A-Za-z0-9-]{1,64}$/

/** Returns the settings in these variables. Throws a sentence about the first that cannot be read; it quotes no secret. */
export function readS3Settings(variables: S3Variables): S3Settings {
  const location = readS3Location(variables)
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = variables
  if (!accessKeyId || !secretAccessKey) {
    throw new Error(`${variables.S3_URL} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: set both`)
  }
  // They become headers.
  if (![accessKeyId, secretAccessKey, variables.AWS_SESSION_TOKEN ?? ''].every((text) => /^[!-~]*$/.test(text))) {
    throw new Error(
      'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN must be printable ASCII without spaces',
    )
  }
  const session = variables.AWS_SESSION_TOKEN ? { sessionToken: variables.AWS_SESSION_TOKEN } : {}
  const hasConditionalPut = variables.S3_CONDITIONAL_PUT !== 'off'
  return { ...location, credentials: { accessKeyId, secretAccessKey, ...session }, hasConditionalPut }
}

/** Reads the location of the files, without the keys. */
export function readS3Location(variables: S3Variables): S3Location {
  const { S3_URL: url = '', S3_REGION: region = DEFAULT_REGION } = variables
  const [, bucket = '', path = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/s.exec(url) ?? []
  const folder = path === '' ? '' : path.replace(/\/?$/, '/')
  if (!BUCKET.test(bucket) || !FOLDER.test(folder)) {
    throw new Error(`S3_URL must be an address such as s3://bucket or s3://bucket/folder: received "${url}"`)
  }
  if (!REGION.test(region))
    throw new Error(`S3_REGION must be the name of a region such as eu-west-1: received "${region}"`)
  const endpoint = readEndpoint(variables.S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`)
  return { bucket, folder, endpoint, region, addressing: readAddressing(variables.S3_ADDRESSING, endpoint, bucket) }
}

function readEndpoint(text: string): string {
  const url = URL.parse(text)
  const isAddress = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  if (!isAddress || url.username !== '' || url.password !== '') {
    throw new Error(
      'S3_ENDPOINT must be an address that begins with https:// or http://, without a user, a query or a fragment',
    )
  }
  return url.href.replace(/\/+$/, '')
}

function readAddressing(text: string | undefined, endpoint: string, bucket: string): S3Location['addressing'] {
  if (text === 'path' || text === 'virtual-host') return text
  if (text !== undefined) throw new Error(`S3_ADDRESSING must be path or virtual-host: received "${text}"`)
  // Certificates of Amazon cover one label. Other services take paths.
  return endpoint.endsWith('.amazonaws.com') && !bucket.includes('.') ? 'virtual-host' : 'path'
}
