// The parts of responses of Cloudflare's API that deployments read. The API sends null for some members that it leaves out elsewhere.
import { z } from 'zod'

export const TOKEN = z.object({ id: z.string() })
export const ACCOUNT = z.object({ id: z.string(), name: z.string() })
export const DATABASE = z.object({ uuid: z.string(), name: z.string() })
export type Database = z.infer<typeof DATABASE>

const BINDING = z.object({
  name: z.string(),
  type: z.string(),
  id: z.string().nullish(),
  database_id: z.string().nullish(),
  bucket_name: z.string().nullish(),
  script_name: z.string().nullish(),
})
export type Binding = z.infer<typeof BINDING>

export const WORKER = z.object({ id: z.string() })
export const WORKER_SETTINGS = z.object({ bindings: z.array(BINDING).nullish() })
export const SECRET = z.object({ name: z.string() })
export const SCRIPT_SETTINGS = z.object({
  observability: z
    .object({
      enabled: z.boolean().nullish(),
      logs: z.object({ invocation_logs: z.boolean().nullish() }).nullish(),
      traces: z.object({ enabled: z.boolean().nullish() }).nullish(),
    })
    .nullish(),
})

const ANNOTATIONS = z.record(z.string(), z.string()).nullish()
export const VERSION = z.object({
  id: z.string(),
  annotations: ANNOTATIONS,
  resources: z.object({ bindings: z.array(BINDING).nullish() }).nullish(),
})
export type Version = z.infer<typeof VERSION>
export const DEPLOYMENTS = z.object({
  deployments: z.array(
    z.object({
      versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })),
      annotations: ANNOTATIONS,
    }),
  ),
})

export const SUBSCRIPTION = z.object({ rate_plan: z.object({ id: z.string().nullish() }).nullish() })
export const SUBDOMAIN = z.object({ subdomain: z.string().nullish() })
export const ZONE = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string().nullish(),
  account: z.object({ id: z.string().nullish() }).nullish(),
})
export const ROUTE = z.object({ pattern: z.string(), script: z.string().nullish() })
export const CUSTOM_DOMAIN = z.object({ hostname: z.string(), service: z.string() })
export const DNS_RECORD = z.object({ name: z.string(), type: z.string(), proxied: z.boolean().nullish() })
export const CERTIFICATE_PACK = z.object({ hosts: z.array(z.string()).nullish(), status: z.string().nullish() })

/** Results of a query of D1, by the columns of a row. */
export const NAMES = queryResults(z.object({ name: z.string() }))
export const COUNTS = queryResults(z.object({ n: z.number() }))

function queryResults<Row extends z.ZodType>(row: Row) {
  return z.array(z.object({ results: z.array(row).nullish() }))
}
