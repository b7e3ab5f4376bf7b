import type { Health } from '../../domain/health.ts'
import { type Backlog, measureBacklog } from '../../domain/maintenance.ts'
import { countReports } from '../../domain/moderation.ts'
import { inTurn } from '../../image/codec.ts'
import { METRICS_STORAGE_MAX_MS } from '../../limits.ts'
import { inTime } from '../../time.ts'
import { SECOND_MS } from '../../units.ts'
import type { ReadCache } from '../cache/isolate-cache.ts'
import type { AppContext } from '../context.ts'
import { type Counted, countsOf, isolateFacts, type Labels } from '../counters.ts'
import { diskRoom } from '../limits/disk-room.ts'
import { bodiesInHand } from '../middleware/request-context.ts'
import { type Metric, PROMETHEUS_TYPE, prometheusText, type Sample } from '../responses/prometheus.ts'
import { currentHealth } from './health.ts'

/** What D1 knows, for the whole service. */
interface StorageFigures {
  backlog: Backlog
  openReports: number
}

/**
 * `GET /operator/metrics`: figures for Prometheus. Those with the label `isolate` are of this isolate since it began; the others
 * come from D1, and are left out while it does not answer.
 */
export async function serveMetrics(c: AppContext): Promise<Response> {
  const [health, storage, disk] = await Promise.all([currentHealth(c), storageFigures(c), diskRoom(c)])
  const metrics = [
    ...isolateMetrics(c.var.store.cache),
    ...healthMetrics(health, disk?.freeBytes),
    ...(storage ? storageMetrics(storage, c.var.nowMs) : []),
  ]
  return c.body(prometheusText(metrics), 200, { 'Content-Type': PROMETHEUS_TYPE })
}

async function storageFigures({ var: { store, nowMs, logProblem } }: AppContext): Promise<StorageFigures | undefined> {
  try {
    return await inTime(METRICS_STORAGE_MAX_MS, 'D1', async () => ({
      backlog: await measureBacklog(store, nowMs),
      openReports: await countReports(store),
    }))
  } catch (error) {
    logProblem('measure the storage', error)
    return undefined
  }
}

/** What this isolate counted, and what it has in hand now. */
function isolateMetrics(cache: ReadCache | undefined): Metric[] {
  const { id: isolate, startedMs } = isolateFacts()
  const bodies = bodiesInHand()
  const pictures = inTurn.state()
  const samples = (counted: readonly Counted[], suffix = ''): Sample[] =>
    counted.map(({ labels, value }) => ({ suffix, labels: { isolate, ...labels }, value }))
  const one = (value: number): Sample[] => samples([{ labels: {}, value }])
  /** A counter without labels is there from the beginning. */
  const total = (counter: string) => one(countsOf(counter)[0]?.value ?? 0)
  return [
    gauge('tintype_isolate_start_time_seconds', 'When the isolate had its first request.', one(startedMs / SECOND_MS)),
    counter('tintype_requests_total', 'Requests that were answered.', samples(countsOf('requests'))),
    counter('tintype_refusals_total', 'Requests that were refused, by error code.', samples(countsOf('refusals'))),
    counter('tintype_problems_total', 'Problems that are in the log.', total('problems')),
    {
      name: 'tintype_answer_seconds',
      type: 'histogram',
      help: 'Time from a request to the beginning of its answer.',
      samples: histogram(samples),
    },
    counter('tintype_uploads_total', 'Uploads that were stored.', samples(countsOf('uploads'))),
    counter('tintype_stored_bytes_total', 'Bytes of files that uploads stored.', total('stored_bytes')),
    gauge('tintype_bodies_held_bytes', 'Memory that is set aside for request bodies.', one(bodies.heldBytes)),
    gauge('tintype_bodies_waiting', 'Request bodies that wait for memory.', one(bodies.waiting)),
    gauge('tintype_codec_waiting', 'Pictures that wait for the codec.', one(pictures.waiting)),
    counter('tintype_codec_jobs_total', 'Jobs of the codec that ended.', one(pictures.ended)),
    counter('tintype_codec_seconds_total', 'Time that they took.', one(pictures.workedMs / SECOND_MS)),
    ...cacheMetrics(cache, one),
  ]
}

function cacheMetrics(cache: ReadCache | undefined, one: (value: number) => Sample[]): Metric[] {
  if (!cache) return []
  const { bytes, hits, misses, isOff } = cache.state
  return [
    gauge('tintype_read_cache_bytes', 'Memory of the cache of hot reads.', one(bytes)),
    gauge('tintype_read_cache_on', '0 once the cache has turned itself off.', one(isOff ? 0 : 1)),
    counter('tintype_read_cache_hits_total', 'Reads of files and pages that the cache had.', one(hits)),
    counter('tintype_read_cache_misses_total', 'Reads of files and pages that it had not.', one(misses)),
  ]
}

function histogram(samples: (counted: readonly Counted[], suffix?: string) => Sample[]): Sample[] {
  const buckets = countsOf('answer_times')
  const all = buckets
    .filter(({ labels }) => labels.le === '+Inf')
    .map(({ labels: { kind = '' }, value }) => ({ labels: { kind }, value }))
  return [...samples(buckets, '_bucket'), ...samples(countsOf('answer_seconds'), '_sum'), ...samples(all, '_count')]
}

function healthMetrics(health: Health, freeBytes: number | undefined): Metric[] {
  const works = [...health].map(([part, problem]) => labelled({ part }, problem === undefined ? 1 : 0))
  const free = freeBytes === undefined ? [] : [labelled({}, freeBytes)]
  return [
    gauge('tintype_part_works', '1 if this part of the service works, as its health says.', works),
    gauge('tintype_disk_free_bytes', 'Free space of the disk of npm start.', free),
  ]
}

function storageMetrics({ backlog, openReports }: StorageFigures, nowMs: number): Metric[] {
  const kinds = Object.entries({
    galleries: backlog.galleries,
    files: backlog.files,
    deleted_galleries: backlog.deletedGalleries,
    purges: backlog.purges,
  })
  const ageS = (oldestMs: number | undefined) => (oldestMs === undefined ? 0 : (nowMs - oldestMs) / SECOND_MS)
  return [
    gauge(
      'tintype_backlog',
      'Work of the cron that is due, by kind.',
      kinds.map(([kind, { count }]) => labelled({ kind }, count)),
    ),
    gauge(
      'tintype_backlog_failing',
      'How much of it failed before.',
      kinds.map(([kind, { failing }]) => labelled({ kind }, failing)),
    ),
    gauge(
      'tintype_backlog_age_seconds',
      'For how long the oldest of it has been due.',
      kinds.map(([kind, { oldestMs }]) => labelled({ kind }, ageS(oldestMs))),
    ),
    gauge('tintype_reports_open', 'Reports that nobody has decided on.', [labelled({}, openReports)]),
  ]
}

function labelled(labels: Labels, value: number): Sample {
  return { labels, value }
}

function counter(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, type: 'counter', help, samples }
}

function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, type: 'gauge', help, samples }
}
