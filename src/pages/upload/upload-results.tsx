import { CodeField, CopyButton } from '../shell/code-fields.tsx'
import { CODE_FORMATS, CODE_SIZES } from '../shell/codes.ts'
import { Icon } from '../shell/icons.tsx'
import type { Language } from '../shell/language.ts'
import { messagesIn } from '../shell/messages.ts'
import type { PageContext } from '../shell/page-context.ts'

/**
 * The links and codes of the uploaded images, each and all, which the script of the upload page fills in. Links open in a new
 * tab, because the private links on this page cannot be shown again.
 */
export function UploadResults({ context, isEmbedded }: { context: PageContext; isEmbedded: boolean }) {
  const { language, site } = context
  const { upload, codes, embed } = messagesIn(language)
  return (
    <section id="results" aria-labelledby="results-heading" hidden>
      <div class="part-head">
        <h2 id="results-heading" tabindex={-1}>
          {upload.results}
        </h2>
        <button type="button" id="another">
          {upload.another}
        </button>
      </div>
      {isEmbedded && (
        <div class="actions">
          <button type="button" class="primary" id="insert">
            {embed.insert}
          </button>
          <p class="failure" role="alert" id="embed-failure" data-words={embed.lost} />
        </div>
      )}
      <p class="muted" id="saved" />
      <p class="muted" id="expiry" />
      <div id="leads" />
      <p id="remembering">
        <span id="remembered-words" role="status" />
        <button type="button" class="quiet" id="remember" />
      </p>
      <div role="tablist" id="code-tabs" aria-label={codes.heading}>
        <Tab id="tab-page" label={codes.page} format="page" selected />
        {CODE_FORMATS.map((format) => (
          <Tab id={`tab-${format}`} label={codes[format]} format={format} />
        ))}
        {site.showsFileLinks && <Tab id="tab-file" label={codes.file} format="file" />}
      </div>
      <div role="tabpanel" id="codes-panel" aria-labelledby="tab-page">
        {/* In WebKit, a legend has its own line. */}
        <div id="codes-show" role="radiogroup" aria-labelledby="codes-show-label" hidden>
          <span id="codes-show-label">{upload.codesShow}</span>
          {CODE_SIZES.filter((size) => size !== 'preview' || site.hasPreviews).map((size) => (
            <label class="choice">
              <input type="radio" name="codes-show" id={`show-${size}`} checked={size === 'thumbnail'} />
              {codes[size]}
            </label>
          ))}
        </div>
        <div id="codes-of-all">
          <CodeField language={language} id="code-all" label={upload.allImages} code="" long />
        </div>
        <ul id="result-list" />
      </div>
      <details class="private" id="private">
        <summary>{upload.managementHeading}</summary>
        <p class="muted">{upload.managementHint}</p>
        <div id="private-one">
          <CodeField language={language} id="code-private" label={codes.link} what={upload.managementHeading} code="" />
        </div>
        <div id="private-all">
          <CodeField
            language={language}
            id="code-private-all"
            label={upload.allImages}
            what={upload.managementHeading}
            code=""
            long
          />
        </div>
      </details>
      <Lead language={language} />
      <dialog id="qr-code" aria-label={upload.qrCode}>
        <canvas role="img" width="1" height="1" aria-labelledby="qr-address" />
        <p id="qr-address" dir="ltr" />
        <button type="button" id="qr-close">
          {upload.unfit.close}
        </button>
      </dialog>
      <template id="result-row">
        <li class="result">
          <img class="thumb" alt="" loading="lazy" decoding="async" draggable={false} />
          <div class="codes-of-one">
            <p class="name">
              <a href="/" target="_blank" rel="noopener" dir="auto">
                {codes.link}
              </a>
            </p>
            <p class="hint saving" />
            <CodeField language={language} id="code-of-one" label={codes.link} code="" />
          </div>
        </li>
      </template>
    </section>
  )
}

/** The template of what leads: the only image, or a gallery. */
function Lead({ language }: { language: Language }) {
  const { upload } = messagesIn(language)
  return (
    <template id="lead">
      <article class="card lead">
        <img alt="" decoding="async" draggable={false} />
        <div>
          <h3 class="name" dir="auto">
            {upload.results}
          </h3>
          <p class="hint saving" />
          <div class="actions">
            <CopyButton language={language} label={upload.copyLink} primary />
            <a class="button open" href="/" target="_blank" rel="noopener">
              {upload.open}
            </a>
            <button type="button" class="share" hidden>
              {upload.share}
            </button>
            <button type="button" class="qr-code" aria-haspopup="dialog">
              <Icon name="qr" /> {upload.qrCode}
            </button>
          </div>
        </div>
      </article>
    </template>
  )
}

interface TabProps {
  id: string
  label: string
  format: string
  selected?: boolean
}

function Tab({ id, label, format, selected = false }: TabProps) {
  return (
    <button
      type="button"
      role="tab"
      id={id}
      aria-controls="codes-panel"
      aria-selected={selected ? 'true' : 'false'}
      tabindex={selected ? 0 : -1}
      data-format={format}
    >
      {label}
    </button>
  )
}
