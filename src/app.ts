import { Hono } from 'hono'
import type { Bindings } from './env.ts'
import { type AppEnv, pathAsSent } from './http/context.ts'
import { serveAsset } from './http/handlers/assets.ts'
import {
  exportBlockEntries,
  importBlockEntries,
  showBlockLists,
  withdrawBlockList,
} from './http/handlers/block-lists.ts'
import { serveErrors, serveOpenApi, serveOpenApiYaml, serveQuickStart, serveReference } from './http/handlers/docs.ts'
import { createGallery, finalizeGallery } from './http/handlers/galleries.ts'
import { chooseCover, editImage, orderImages, removeImages } from './http/handlers/gallery-changes.ts'
import { closeGuestLink, createGuestLink, serveAddPage, submitAddPage } from './http/handlers/guests.ts'
import { serveHealth } from './http/handlers/health.ts'
import { checkImageStatus, refuseStatusMethod } from './http/handlers/image-status.ts'
import {
  serveApiCatalog,
  serveEmbedScript,
  serveFavicon,
  serveFlameshotScript,
  serveLlmsTxt,
  serveManifest,
  servePicGoSettings,
  servePostmanCollection,
  serveRobotsTxt,
  serveSecurityTxt,
  serveShareWorker,
  serveShareXUploader,
  serveToolsPage,
} from './http/handlers/integrations.ts'
import { addFromPage, serveManagePage, submitManagePage } from './http/handlers/manage-pages.ts'
import { deleteContent, renameContent } from './http/handlers/management.ts'
import { serveMetrics } from './http/handlers/metrics.ts'
import { serveOembed } from './http/handlers/oembed.ts'
import {
  dismissContent,
  forOperator,
  hideContent,
  listAudit,
  listBlocks,
  listHidden,
  listOpenReports,
  removeContent,
  showReports,
  unblockContent,
  unhideContent,
} from './http/handlers/operator.ts'
import {
  serveGalleryCodes,
  serveGalleryPage,
  serveHome,
  serveNotFound,
  serveShowPage,
  serveUploads,
} from './http/handlers/pages.ts'
import { makeMissingPreviews } from './http/handlers/previews.ts'
import { reconcileBatch } from './http/handlers/reconcile.ts'
import { asksForJson, orJson, serveGalleryRecord, serveImageRecord } from './http/handlers/records.ts'
import { serveReportPage, submitReportPage } from './http/handlers/report-pages.ts'
import { uploadFromPage, uploadShared } from './http/handlers/upload-page.ts'
import { addImage, uploadCover, uploadGuestImage, uploadImage, uploadNewImage } from './http/handlers/uploads.ts'
import { type HostRole, resolveHost } from './http/hosts.ts'
import { countingUnknownTokens } from './http/limits/client-limits.ts'
import { serveCached } from './http/media/cached-reads.ts'
import { serveGalleryDownload } from './http/media/gallery-download.ts'
import { serveOriginal, servePreview, serveThumbnail } from './http/media/media.ts'
import { allowAnyOrigin, respondToPreflight } from './http/middleware/cors.ts'
import { confirmHuman } from './http/middleware/human-check.ts'
import { replayOr } from './http/middleware/idempotency.ts'
import { observe } from './http/middleware/observe.ts'
import { ownFormsOnly } from './http/middleware/own-forms.ts'
import { requestContext } from './http/middleware/request-context.ts'
import { describedFailure, jsonFailure, refuseEndpoint, textFailure } from './http/responses/failures.ts'
import { headersOfKind } from './http/responses/headers.ts'
import { pageFailure } from './http/responses/page-response.ts'
import * as routes from './routes.ts'

/** Uploads and finalize: their errors are one sentence of plain text (D21). */
const uploads = new Hono<AppEnv>()
  .onError((error, c) => replayOr(textFailure, c, error))
  .post(routes.images, uploadImage)
  .post(routes.covers, uploadCover)
  .post(routes.finalizeGallery, finalizeGallery)
  .post(routes.guestImages, countingUnknownTokens(uploadGuestImage))

/** Uploads by the form of the published service, whose programs read `error.description`. */
const formUploads = new Hono<AppEnv>()
  .onError((error, c) => replayOr(describedFailure, c, error))
  .post(routes.newUpload, uploadNewImage)

/** All other operations: their errors are ApiError JSON. */
const operations = new Hono<AppEnv>()
  .onError((error, c) => replayOr(jsonFailure, c, error))
  .post(routes.galleries, createGallery)
  .post(routes.imageStatus, checkImageStatus)
  .post(routes.renameContent, countingUnknownTokens(renameContent))
  .post(routes.deleteContent, countingUnknownTokens(deleteContent))
  .post(routes.addImage, countingUnknownTokens(addImage))
  .post(routes.removeImages, countingUnknownTokens(removeImages))
  .post(routes.orderImages, countingUnknownTokens(orderImages))
  .post(routes.chooseCover, countingUnknownTokens(chooseCover))
  .post(routes.editImage, countingUnknownTokens(editImage))
  .post(routes.createGuests, countingUnknownTokens(createGuestLink))
  .post(routes.closeGuests, countingUnknownTokens(closeGuestLink))

const operationPaths = [...uploads.routes, ...formUploads.routes, ...operations.routes].map(({ path }) => path)

/** Whatever else is asked of an operation's path (D19). */
const otherMethods = new Hono<AppEnv>()
  .onError((error, c) => jsonFailure(c, error))
  .on('OPTIONS', operationPaths, respondToPreflight)
  .all(routes.imageStatus, refuseStatusMethod)
  .on('ALL', operationPaths, refuseEndpoint)

/** The front page, and what makes the service an application of its own in a browser. */
const frontPages = new Hono<AppEnv>()
  .onError((error, c) => pageFailure(c, error))
  .get(routes.home, serveHome)
  .get(routes.uploads, serveUploads)
  .post(routes.uploadForm, ownFormsOnly, uploadFromPage)
  .post(routes.share, ownFormsOnly, uploadShared)
  .get(routes.shareWorker, serveShareWorker)
  .get(routes.manifest, serveManifest)

/** The pages that programs read as JSON, by Accept or by their address. */
const records = new Hono<AppEnv>()
  .onError((error, c) => (asksForJson(c) ? jsonFailure(c, error) : pageFailure(c, error)))
  .get(routes.show, orJson(serveImageRecord, serveShowPage))
  .get(routes.gallery, orJson(serveGalleryRecord, serveGalleryPage))

const pages = new Hono<AppEnv>()
  .onError((error, c) => pageFailure(c, error))
  .get(routes.asset, serveAsset)
  .get(routes.galleryCodes, serveGalleryCodes)
  .get(routes.galleryDownload, serveGalleryDownload)
  .get(routes.manage, countingUnknownTokens(serveManagePage))
  .post(routes.manage, ownFormsOnly, countingUnknownTokens(submitManagePage))
  .post(routes.manageImages, ownFormsOnly, countingUnknownTokens(addFromPage))
  .get(routes.addImages, countingUnknownTokens(serveAddPage))
  .post(routes.addImages, ownFormsOnly, countingUnknownTokens(submitAddPage))
  .get(routes.report, serveReportPage)
  .post(routes.report, ownFormsOnly, submitReportPage)
  .get(routes.favicon, serveFavicon)
  .get(routes.quickStart, serveQuickStart)
  .get(routes.reference, serveReference)
  .get(routes.errors, serveErrors)
  .get(routes.tools, serveToolsPage)
  .get(routes.embedScript, serveEmbedScript)
  .get(routes.llmsTxt, serveLlmsTxt)
  .get(routes.shareX, serveShareXUploader)
  .get(routes.picGo, servePicGoSettings)
  .get(routes.flameshot, serveFlameshotScript)
  .get(routes.postman, servePostmanCollection)
  .get(routes.robotsTxt, serveRobotsTxt)
  .get(routes.securityTxt, serveSecurityTxt)

/** Requests of programs and scripts that the specification does not have: oEmbed, passes of humans, and what the operator asks. */
const extensions = new Hono<AppEnv>()
  .onError((error, c) => jsonFailure(c, error))
  .get(routes.oembed, serveOembed)
  .post(routes.human, ownFormsOnly, confirmHuman)
  .get(routes.openReports, forOperator(listOpenReports))
  .post(routes.removeReported, forOperator(removeContent))
  .post(routes.dismissReports, forOperator(dismissContent))
  .post(routes.reconcileFiles, forOperator(reconcileBatch))
  .post(routes.makePreviews, forOperator(makeMissingPreviews))
  .post(routes.reportsOf, forOperator(showReports))
  .post(routes.hideContent, forOperator(hideContent))
  .post(routes.unhideContent, forOperator(unhideContent))
  .get(routes.hiddenContent, forOperator(listHidden))
  .post(routes.unblockContent, forOperator(unblockContent))
  .get(routes.blocks, forOperator(listBlocks))
  .get(routes.blockLists, forOperator(showBlockLists))
  .post(routes.importBlocks, forOperator(importBlockEntries))
  .post(routes.withdrawBlocks, forOperator(withdrawBlockList))
  .get(routes.exportBlocks, forOperator(exportBlockEntries))
  .get(routes.audit, forOperator(listAudit))
  .get(routes.metrics, forOperator(serveMetrics))

/** Whether the service works, on every host: what watches it may know one alone. */
const health = new Hono<AppEnv>().onError((error, c) => jsonFailure(c, error)).get(routes.health, serveHealth)

/** The OpenAPI document, on each host that serves the API. */
const description = new Hono<AppEnv>()
  .onError((error, c) => jsonFailure(c, error))
  .get(routes.openApi, serveOpenApi)
  .get(routes.openApiYaml, serveOpenApiYaml)
  .get(routes.apiCatalog, serveApiCatalog)

/** Both kinds on each host of media: some programs replace the host of an address or its path, but not both. */
const media = new Hono<AppEnv>()
  .onError((error, c) => textFailure(c, error))
  .get(routes.thumbnail, serveThumbnail)
  .get(routes.preview, servePreview)
  .get(routes.original, serveOriginal)

/** Every operation and page, as `POST /images`: its price is in a list. */
export const ENDPOINTS: readonly string[] = [
  ...[uploads, formUploads, operations, frontPages, records, pages, extensions, health, description, media],
]
  .flatMap((part) => part.routes)
  .map(({ method, path }) => `${method} ${path}`)

/** The routes of each kind of host (D4). */
const APPS: Record<HostRole, Hono<AppEnv>> = {
  everything: serving(
    ...[uploads, formUploads, operations, otherMethods, description, health, frontPages, records, pages],
    ...[extensions, media],
  ),
  api: serving(uploads, formUploads, operations, otherMethods, description, health),
  media: serving(health, media),
  // Without `frontPages`: a foreign host name that points here must not look like this service (D5).
  unknown: serving(
    ...[uploads, formUploads, operations, otherMethods, description, health, records, pages, extensions, media],
  ),
}

/** Handles a request with the routes of its host. */
export function handleRequest(request: Request, env: Bindings, ctx: ExecutionContext): Response | Promise<Response> {
  const host = resolveHost(request, env)
  return serveCached(request, env, host) ?? APPS[host.role].fetch(request, { ...env, host }, ctx)
}

function serving(...parts: Hono<AppEnv>[]): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ getPath: pathAsSent })
  app.use(requestContext, observe, headersOfKind, allowAnyOrigin)
  for (const part of parts) app.route('/', part)
  app.get('*', serveNotFound)
  app.all('*', refuseEndpoint)
  app.onError((error, c) => jsonFailure(c, error))
  return app
}
