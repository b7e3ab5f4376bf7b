import { raw } from 'hono/html'
import * as routes from '../../routes.ts'
import { CopyButton } from '../shell/code-fields.tsx'
import { renderDocument } from '../shell/document.tsx'
import { Icon } from '../shell/icons.tsx'
import { messagesIn } from '../shell/messages.ts'
import { keepChosen, type PageContext } from '../shell/page-context.ts'
import { escapeJson } from '../shell/script-data.ts'
import { uploadsWords } from './script-words.ts'

/**
 * The page of what this browser has uploaded. The list is in the browser's storage alone, and its script shows it: the service
 * sends the same page to everybody.
 */
export function uploadsPage({ context, hosts }: { context: PageContext; hosts: string[] }): string {
  const { language } = context
  const { uploads, upload } = messagesIn(language)
  return renderDocument({
    context,
    title: uploads.heading,
    head: <meta name="robots" content="noindex" />,
    stylesheet: 'uploadStyle',
    scripts: ['uploads'],
    children: (
      <div class="upload my-uploads">
        <h1 tabindex={-1}>{uploads.heading}</h1>
        <p class="muted">{uploads.explanation}</p>
        <p class="without-script">{uploads.needsScript}</p>
        <div class="by-script tools">
          <p class="field" id="filter-field" hidden>
            <label for="filter">{uploads.filter}</label>
            <input id="filter" type="search" autocomplete="off" />
            <span class="hint" role="status" id="found" />
          </p>
          <label class="choice" id="select-all-field" hidden>
            <input type="checkbox" id="select-all" autocomplete="off" />
            {uploads.selectAll}
          </label>
          <label class="choice">
            <input type="checkbox" id="remember" autocomplete="off" />
            {upload.remember}
          </label>
          <div class="actions">
            <button type="button" id="export" hidden>
              {uploads.export}
            </button>
            <div class="pick small">
              <label for="import" class="button">
                {uploads.import}
              </label>
              <input id="import" type="file" accept="application/json,.json" title="" />
            </div>
            <button type="button" class="danger" id="forget-all" hidden>
              {uploads.forgetAll}
            </button>
          </div>
        </div>
        <p class="notice" role="status" id="outcome" />
        <div class="by-script" id="none" hidden>
          <p>{uploads.empty}</p>
          <p>
            <a class="button primary" href={keepChosen(context, routes.home)}>
              {upload.startOne}
            </a>
          </p>
        </div>
        <ul id="upload-list" />
        <div class="selection" id="selection" hidden>
          <p id="selected" role="status" />
          <CopyButton language={language} label={uploads.copyLinks} primary />
          <button type="button" class="danger" id="delete-selected">
            {uploads.delete}
          </button>
          <button type="button" class="quiet" id="unselect" aria-label={upload.startingOver.cancel}>
            <Icon name="close" />
          </button>
        </div>
        <template id="remembered-upload">
          <li>
            <label class="select">
              <input type="checkbox" autocomplete="off" />
            </label>
            <a href="/" target="_blank" rel="noopener">
              <span class="picture">
                <Icon name="image" />
                <img alt="" loading="lazy" decoding="async" draggable={false} />
              </span>
              <span class="name" dir="auto">
                {upload.open}
              </span>
            </a>
            <p class="hint">
              <time />
            </p>
            <div class="actions">
              <CopyButton language={language} label={upload.copyLink} what="" />
              <button type="button" class="delete">
                {uploads.delete} <span class="visually-hidden" />
              </button>
            </div>
          </li>
        </template>
        <dialog id="confirm" aria-labelledby="question">
          <p id="question" />
          <div class="actions">
            <button type="button" class="danger" id="confirmed" />
            <button type="button" class="quiet" id="cancel">
              {upload.startingOver.cancel}
            </button>
          </div>
        </dialog>
        <script type="application/json" id="words">
          {raw(escapeJson(uploadsWords(language, hosts)))}
        </script>
      </div>
    ),
  })
}
