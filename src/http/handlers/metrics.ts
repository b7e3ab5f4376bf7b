import type { Health } from '../../domain/maintenance/health.ts'
import { type Backlog, measureBacklog, type ShardBacklog } from '../../domain/maintenance/maintenance.ts'
import { countReports } from '../../domain/moderation/moderation.ts'
import type { FromShards } from '../../domain/shards/available-shards.ts'
import { measureStoredBytes } from '../../domain/shards/stored-bytes.ts'
import { inTurn } from '../../image/codec.ts'
import { METRICS_STORAGE_MAX_MS } from '../../limits.ts'
import { inTime } from '../../time.ts'
import { SECOND_MS } from '../../units.ts'
import type { ReadCache } from '../cache/isolate-cache.ts'
import type { AppContext } from '../context.ts'
import { type Counted, countsOf, isolateFacts, type Labels } from '../counters.ts'
import { diskRoom, storageMax } from '../limits/disk-room.ts'
import { bodiesInHand } from '../middleware/request-context.ts'
import { type Metric, PROMETHEUS_TYPE, prometheusText, type Sample } from '../responses/prometheus.ts'
import { currentHealth } from './health.ts'

/** Metrics from D1, by shard. */
interface StorageMetrics {
  backlog: Backlog
  openReports: FromShards<number>
  storedBytes: FromShards<number>
}

/**
 * `GET /operator/metrics`: metrics for Prometheus. Those with the label `isolate` are of this isolate since it began.
 * The others come from D1, and those of a shard are missing while it does not respond.
 */
export async function serveMetrics(c: AppContext): Promise<Response> {
  const [health, storage, disk] = await Promise.all([currentHealth(c), storageMetricsOf(c), diskRoom(c)])
  const metrics = [
    ...isolateMetrics(c.var.store),
    ...healthMetrics(health, disk?.freeBytes),
    ...(storage ? storageMetrics(storage, c.var.nowMs) : []),
    ...storageMaxMetrics(storageMax(c)),
  ]
  return c.body(prometheusText(metrics), 200, { 'Content-Type': PROMETHEUS_TYPE })
}

async function storageMetricsOf({
  var: { store, nowMs, logProblem },
}: AppContext): Promise<StorageMetrics | undefined> {
  try {
    return await inTime(METRICS_STORAGE_MAX_MS, 'D1', async () => {
      const [backlog, openReports, storedBytes] = await Promise.all([
        measureBacklog(store, nowMs),
        countReports(store),
        measureStoredBytes(store),
      ])
      for (const { number, error } of backlog.unavailable) logProblem(`measure shard ${number}`, error)
      return { backlog, openReports, storedBytes }
    })
  } catch (error) {
    logProblem('measure the storage', error)
    return undefined
  }
}

/** Returns the counters of this isolate, and its current load. */
function isolateMetrics({ cache, shards }: AppContext['var']['store']): Metric[] {
  const { id: isolate, startedMs } = isolateFacts()
  const bodies = bodiesInHand()
  const codec = inTurn.state()
  const samples = (counted: readonly Counted[], suffix = ''): Sample[] =>
    counted.map(({ labels, value }) => ({ suffix, labels: { isolate, ...labels }, value }))
  const one = (value: number): Sample[] => samples([{ labels: {}, value }])
  /** A counter without labels is there from the beginning. */
  const total = (counter: string) => one(countsOf(counter)[0]?.value ?? 0)
  return [
    gauge('tintype_isolate_start_time_seconds', 'When the isolate had its first request.', one(startedMs / SECOND_MS)),
    counter('tintype_requests_total', 'Requests with a response.', samples(countsOf('requests'))),
    counter('tintype_refusals_total', 'Requests that were refused, by error code.', samples(countsOf('refusals'))),
    counter('tintype_problems_total', 'Problems that are in the log.', total('problems')),
    {
      name: 'tintype_answer_seconds',
      type: 'histogram',
      help: 'Time from a request to the beginning of its response.',
      samples: histogram(samples),
    },
    counter('tintype_uploads_total', 'Uploads that were stored.', samples(countsOf('uploads'))),
    counter('tintype_keyed_uploads_total', 'Accepted upload keys, by their names.', samples(countsOf('keyed_uploads'))),
    counter('tintype_upload_events_total', 'Calls of the UPLOAD_WEBHOOK.', samples(countsOf('upload_events'))),
    counter('tintype_upload_hook_total', 'Calls of the UPLOAD_HOOK.', samples(countsOf('upload_hook'))),
    counter('tintype_stored_bytes_total', 'Bytes of files that uploads stored.', total('stored_bytes')),
    gauge('tintype_bodies_held_bytes', 'Memory that is set aside for request bodies.', one(bodies.heldBytes)),
    gauge('tintype_bodies_waiting', 'Request bodies that wait for memory.', one(bodies.waiting)),
    gauge('tintype_codec_waiting', 'Pictures that wait for the codec.', one(codec.waiting)),
    counter('tintype_codec_jobs_total', 'Jobs of the codec that ended.', one(codec.ended)),
    counter('tintype_codec_seconds_total', 'Time that they took.', one(codec.workedMs / SECOND_MS)),
    gauge(
      'tintype_shard_breaker_open',
      '1 while new content avoids this shard, because it failed.',
      samples(
        shards.map(({ number, breaker }) => ({ labels: ofShard(number), value: breaker.state() === 'closed' ? 0 : 1 })),
      ),
    ),
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

function healthMetrics({ parts, shards }: Health, freeBytes: number | undefined): Metric[] {
  const works = [...parts].map(([part, problem]) => labelled({ part }, problem === undefined ? 1 : 0))
  const shardWorks = [...shards].map(([shard, problem]) => labelled(ofShard(shard), problem === undefined ? 1 : 0))
  const free = freeBytes === undefined ? [] : [labelled({}, freeBytes)]
  return [
    gauge('tintype_part_works', '1 if this part of the service works, as its health says.', works),
    gauge('tintype_shard_works', '1 if this shard of the database works.', shardWorks),
    gauge('tintype_disk_free_bytes', 'Free space of the disk of npm start.', free),
  ]
}

function storageMetrics({ backlog, openReports, storedBytes }: StorageMetrics, nowMs: number): Metric[] {
  const works = backlog.results.flatMap(({ shard: { number }, result: { deletedGalleries, purges, ...kinds } }) =>
    Object.entries({ ...kinds, deleted_galleries: deletedGalleries, ...(purges ? { purges } : {}) }).map(
      ([kind, waiting]) => ({ labels: { kind, ...ofShard(number) }, waiting }),
    ),
  )
  const samplesOf = (measure: (waiting: ShardBacklog['files']) => number) =>
    works.map(({ labels, waiting }) => labelled(labels, measure(waiting)))
  return [
    gauge(
      'tintype_backlog',
      'Work of the cron that is due, by kind.',
      samplesOf(({ count }) => count),
    ),
    gauge(
      'tintype_backlog_failing',
      'How much of it failed before.',
      samplesOf(({ failing }) => failing),
    ),
    gauge(
      'tintype_backlog_age_seconds',
      'For how long the oldest of it has been due.',
      samplesOf(({ oldestMs }) => (oldestMs === undefined ? 0 : (nowMs - oldestMs) / SECOND_MS)),
    ),
    gauge(
      'tintype_reports_open',
      'Reports that nobody has decided on.',
      openReports.results.map(({ shard, result }) => labelled(ofShard(shard.number), result)),
    ),
    gauge(
      'tintype_storage_bytes',
      'Bytes of all stored files.',
      storedBytes.results.map(({ shard, result }) => labelled(ofShard(shard.number), result)),
    ),
  ]
}

function storageMaxMetrics(bytes: number | undefined): Metric[] {
  if (bytes === undefined) return []
  return [
    gauge('tintype_storage_max_bytes', 'Uploads are refused once the files have as many bytes.', [labelled({}, bytes)]),
  ]
}

function ofShard(shard: number): Labels {
  return { shard: String(shard) }
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
