import { CodeField } from './code-fields.tsx'
import { CODE_FORMATS, CODE_SIZES } from './codes.ts'
import type { Language } from './language.ts'
import { MESSAGES } from './messages.ts'

/**
 * The links and codes of the uploaded pictures, each and all, which the script of the upload page fills in. Links open in a new
 * tab, because the private links on this page cannot be shown again.
 */
export function UploadResults({ language }: { language: Language }) {
  const { upload, codes } = MESSAGES[language]
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
      <p class="muted" id="saved" />
      <section class="card" id="gallery-result" aria-labelledby="gallery-heading">
        <h3 id="gallery-heading">{upload.galleryReady}</h3>
        <CodeField language={language} id="code-gallery" label={codes.link} what={upload.galleryReady} code="" />
        <p class="actions">
          <a class="button primary" id="gallery-page" href="/" target="_blank" rel="noopener">
            {upload.openPage}
          </a>
        </p>
      </section>
      <section class="card" id="private" aria-labelledby="private-heading">
        <h3 id="private-heading">{upload.managementHeading}</h3>
        <p class="heed">{upload.managementWarning}</p>
        <div id="private-one">
          <CodeField language={language} id="code-private" label={codes.link} what={upload.managementHeading} code="" />
        </div>
        <div id="private-all">
          <CodeField
            language={language}
            id="code-private-all"
            label={upload.allPictures}
            what={upload.managementHeading}
            code=""
            long
          />
        </div>
      </section>
      <div role="tablist" id="code-tabs" aria-label={codes.heading}>
        <Tab id="tab-link" label={codes.links} selected />
        {CODE_FORMATS.map((format) => (
          <Tab id={`tab-${format}`} label={codes[format]} format={format} />
        ))}
      </div>
      <div role="tabpanel" id="codes-panel" aria-labelledby="tab-link">
        <fieldset id="codes-show" hidden>
          <legend>{upload.codesShow}</legend>
          {CODE_SIZES.map((size) => (
            <label class="choice">
              <input type="radio" name="codes-show" id={`show-${size}`} checked={size === 'thumbnail'} />
              {codes[size]}
            </label>
          ))}
        </fieldset>
        <div id="codes-of-all">
          <CodeField language={language} id="code-all" label={upload.allPictures} code="" long />
        </div>
        <ul id="result-list" />
      </div>
      <template id="result-row">
        <li class="result">
          <img class="thumb" alt="" loading="lazy" decoding="async" draggable={false} />
          <div class="codes-of-one">
            <p class="name">
              <a href="/" target="_blank" rel="noopener" dir="ltr">
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

interface TabProps {
  id: string
  label: string
  format?: string
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
