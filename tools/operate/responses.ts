// Responses of the service to its operators, as src/http/handlers/operator.ts and reconcile.ts write them. Fields that no command reads
// are left out.
import { z } from 'zod'

/** The published name of the number of images that were blocked or unblocked. */
export const IMAGES_FIELD = 'pictures'

const Content = z.object({ url: z.string(), resource_type: z.string(), status: z.string() })

const Reported = Content.extend({
  open_reports: z.number(),
  reasons: z.record(z.string(), z.number()),
  first_reported_at: z.string(),
})

export const Reports = z.object({
  open_reports: z.number(),
  reported_contents: z.number(),
  reported: z.array(Reported),
})

const Report = z.object({ reason: z.string(), details: z.string(), contact: z.string(), created_at: z.string() })

export const ReportsOfOne = Content.extend({ reports: z.array(Report) })

export const Settled = z.object({
  resource_type: z.string(),
  status: z.string(),
  changed: z.boolean(),
  reports_handled: z.number(),
  [IMAGES_FIELD]: z.number(),
})

export const Hidden = z.object({ hidden: z.array(Content.extend({ hidden_at: z.string() })) })

export const Blocks = z.object({ blocks: z.array(z.object({ url: z.string(), blocked_at: z.string() })) })

const Decision = Settled.omit({ status: true }).extend({
  decided_at: z.string(),
  operator: z.string(),
  action: z.string(),
  completed: z.boolean(),
  url: z.string().nullable(),
  /** The block list of an import or a withdrawal. */
  list: z.string().optional(),
})

export const Audit = z.object({ decisions: z.array(Decision) })

/** Results of the batches of a block list. */
export const Added = z.object({ added: z.number() })
export const Removed = z.object({ removed: z.number() })

export const BlockLists = z.object({
  lists: z.array(z.object({ name: z.string(), files: z.number(), fingerprints: z.number(), imported_at: z.string() })),
})

export const Exported = z.object({ entries: z.array(z.string()), next: z.string().nullable() })

/** The shards that did not respond, of any list. */
export const Incomplete = z.object({ unavailable_shards: z.array(z.number()).default([]) })

const Finding = z.object({
  finding: z.enum(['orphan', 'unrecognized', 'missing', 'damaged']),
  key: z.string(),
  bytes: z.number().optional(),
  stored_at: z.string().optional(),
  removed: z.boolean().optional(),
  /** The page of the image that the file belongs to. */
  url: z.string().optional(),
  damage: z.enum(['size', 'crc32', 'md5', 'unreadable']).optional(),
})

/** A batch of a reconciliation. Older services count no verified files. */
export const Batch = Incomplete.extend({
  files: z.number(),
  records: z.number(),
  due: z.number(),
  too_young: z.number(),
  verified: z.number().optional(),
  unverifiable: z.number().default(0),
  bytes: z.number().default(0),
  findings: z.array(z.looseObject(Finding.shape)),
  next: z.string().nullable(),
})

const Unpreviewed = z.object({ finding: z.enum(['missing', 'unreadable']), key: z.string(), url: z.string() })

/** The result of a request for missing previews. */
export const PreviewBatch = Incomplete.extend({
  records: z.number(),
  made: z.number(),
  bytes: z.number(),
  findings: z.array(z.looseObject(Unpreviewed.shape)),
  next: z.string().nullable(),
})

export type Content = z.infer<typeof Content>
export type Reported = z.infer<typeof Reported>
export type Report = z.infer<typeof Report>
export type Settled = z.infer<typeof Settled>
export type Decision = z.infer<typeof Decision>
export type Finding = z.infer<typeof Finding>
